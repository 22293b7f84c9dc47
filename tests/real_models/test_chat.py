"""Conversations as text: what the transformers library makes of the same template."""

import json

import pytest
from transformers.utils.chat_template_utils import render_jinja_template

from helpers.real_models.chat import chat_text, load_template

TURNS = [
    {"role": "system", "content": "Say < & > 'so'."},
    {"role": "user", "content": " hi\n"},
    {"role": "assistant", "content": "é ü", "tool": {"name": "a<b", "of": [1, None, True]}},
]
TEMPLATES = {
    "line breaks behind blocks": "{% for m in messages %}\n{{ m.role }}\n{% endfor %}\nend\n",
    "blanks before blocks": "a\n   {% if true %}\n  b\n   {% endif %}\n c",
    "signs": "{%- for m in messages -%}\n  {{- m.content -}}\n{%- endfor +%}\nz\n\n",
    "comments": "a{# one #}\nb\n  {#- two -#}\n c",
    "json": "{{ messages | tojson }}{{ messages[2] | tojson(indent=2) }}",
    "loop controls": "{% for m in messages %}{% if loop.index == 2 %}{% break %}{% endif %}"
    "{{ m.role }}{% endfor %}",
    "generation": "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %}"
    "{% endfor %}",
    "values": "{{ bos_token }}|{{ missing }}|{% if add_generation_prompt %}go{% endif %}",
    "namespace": "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}"
    "{% endfor %}{{ ns.n }}{{ dict(a=1).a }}",
}


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
@pytest.mark.parametrize("prompt", [False, True])
def test_the_text_is_the_librarys(template, prompt):
    (wanted,), _ = render_jinja_template(
        [TURNS], chat_template=template, add_generation_prompt=prompt, bos_token="<s>"
    )
    assert chat_text(template, TURNS, add_generation_prompt=prompt, bos_token="<s>") == wanted


def test_what_a_template_refuses_or_must_not_do_is_one_sentence():
    with pytest.raises(ValueError, match="refuses this conversation: roles must alternate"):
        chat_text("{{ raise_exception('roles must alternate') }}", TURNS)
    with pytest.raises(ValueError, match=r"refuses this conversation: .*unsafe"):
        chat_text("{{ messages.__class__.__mro__ }}", TURNS)
    with pytest.raises(ValueError, match="is no Jinja: line 2"):
        chat_text("\n{% endfor %}", TURNS)


def test_a_folders_template_is_found_where_files_have_it(tmp_path):
    assert load_template(tmp_path) == ""
    config = tmp_path / "tokenizer_config.json"
    config.write_text(json.dumps({"chat_template": "a\n"}))
    assert load_template(tmp_path) == "a\n"
    (tmp_path / "chat_template.jinja").write_text("b\n")
    assert load_template(tmp_path) == "b\n"  # newer files have it alone, and it counts more
    (tmp_path / "chat_template.jinja").unlink()
    config.write_text(json.dumps({"chat_template": [{"name": "default", "template": "a"}]}))
    with pytest.raises(ValueError, match=r"tokenizer_config\.json holds chat_template .*; read"):
        load_template(tmp_path)
