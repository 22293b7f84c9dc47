"""The real model against the transformers library on the same file, and its shorter formats against
its own float32."""

import pytest
import torch
import transformers

from helpers.decoding.generation import generate
from helpers.files import ROOT
from helpers.real_models.smollm2 import load_smollm2
from helpers.weights.packed_model import pack

pytestmark = pytest.mark.slow

QUESTIONS = (
    "What is the capital of France?", "Why is the sky blue?", "Write a short poem about rain.",
    "How do I boil an egg?", "What is 12 plus 30?", "Name three animals that live in the sea.",
    "Explain what a prime number is.", "Translate 'good morning' into French.",
    "Who wrote Romeo and Juliet?", "Give me a recipe for pancakes.",
    "What does a compiler do?", "Write a Python function that adds two numbers.",
)  # fmt: skip
BEGINNINGS = (
    "Once upon a time", "The sea was calm, and", "def fibonacci(n):\n", "In 1969, two people",
    "The most important idea in physics is", "1, 2, 4, 8, 16,", "Dear Sir or Madam,\n", "My cat",
)  # fmt: skip


def prompts(tokenizer):
    """Twenty prompts: questions to the assistant, and texts to go on with."""
    asked = (
        f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n" for question in QUESTIONS
    )
    return [torch.tensor([tokenizer.encode(text, allow="all")]) for text in (*asked, *BEGINNINGS)]


@pytest.fixture(scope="module")
def real(model_path):
    return load_smollm2()


@pytest.fixture(scope="module")
def library(model_path):
    """The library's model, with the configuration and the weights that the library reads."""
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    transformers.logging.disable_progress_bar()
    config = transformers.AutoConfig.from_pretrained(model_path.parent, gguf_file=model_path.name)
    model = transformers.LlamaForCausalLM(config).eval()
    weights = load_gguf_checkpoint(str(model_path), return_tensors=True, model_to_load=model)
    model.load_state_dict(weights["tensors"], strict=False)  # the tied head is not in the file
    return model


def test_20_prompts_give_the_same_64_tokens_and_logits_within_a_thousandth(real, library):
    for tokens in prompts(real.tokenizer):
        with torch.no_grad():
            theirs = library.generate(
                tokens, attention_mask=torch.ones_like(tokens), max_new_tokens=64, do_sample=False,
                eos_token_id=None, pad_token_id=0,
            )  # fmt: skip
            logits = library(theirs[:, :-1]).logits
        new = theirs[:, tokens.shape[1] :]
        cache = real.model.new_cache(1, "preallocated", capacity=theirs.shape[1])
        ours = generate(
            real.model, tokens, max_new_tokens=64, temperature=0, stop_ids=None, cache=cache
        )
        assert torch.equal(ours.tokens, new)
        with torch.no_grad():
            assert (real.model(theirs[:, :-1]) - logits).abs().max() < 1e-3


KL = {"float32": 1e-6, "bfloat16": 1e-3, "float16": 1e-3, "int8": 1e-2, "int4": 1e-3}
PERPLEXITY = {"int8": 0.02, "int4": 0.01}


@pytest.fixture(scope="module")
def text(real):
    """512 tokens of a text that was written for the course."""
    content = (ROOT / "data" / "texts" / "english.txt").read_text(encoding="utf-8")
    return torch.tensor([real.tokenizer.encode(content)[:512]])


@pytest.mark.parametrize("name", KL)
def test_a_shorter_format_stays_close_to_float32_on_a_fixed_text(real, text, name):
    packed = pack(real.model, name)
    with torch.no_grad():
        wanted, found = (model(text)[0].log_softmax(-1) for model in (real.model, packed))
        # reading the end one token at a time is another path through the operators
        cache = packed.new_cache(1, "preallocated", capacity=512)
        steps = [packed.next_logits(text[:, :480], cache=cache)]
        steps += [packed.next_logits(text[:, i : i + 1], cache=cache) for i in range(480, 512)]
    slowly = torch.cat(steps).log_softmax(-1)
    for law, reference in ((found, wanted), (slowly, wanted[479:])):
        assert (reference.exp() * (reference - law)).sum(-1).mean() < KL[name]
    losses = [-law[:-1].gather(1, text[0, 1:, None]).mean().double() for law in (wanted, found)]
    assert abs((losses[1] - losses[0]).exp() - 1) < PERPLEXITY.get(name, 0.01)
