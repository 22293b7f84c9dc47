"""The tokenizer in a GGUF model file: vocabulary, merges, and tokens that are kept whole."""

from helpers.tokenizers.bpe import ONE_DIGIT
from helpers.tokenizers.gguf import chat_template, from_gguf


def test_the_real_models_file_holds_vocabulary_merges_and_template(model_path):
    tokenizer = from_gguf(model_path)
    assert (len(tokenizer), len(tokenizer.merges), len(tokenizer.special)) == (49152, 48900, 17)
    assert tokenizer.pattern == ONE_DIGIT
    assert tokenizer.special["<|im_end|>"] == 2
    assert tokenizer.show(tokenizer.encode("The capital of France")) == [
        "The",
        "\u0120capital",
        "\u0120of",
        "\u0120France",
    ]
    assert "<|im_start|>assistant" in chat_template(model_path)
