"""A conversation as the text that a chat model reads, by its chat template.

A template is a program in the language Jinja that comes with a model's files, so it runs in a
sandbox. It sees what the transformers library lets templates see, and gives the same text: line
breaks behind a block and blanks in front of one do not count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import Template, TemplateError, TemplateSyntaxError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from helpers.tokenizers.files import parse, read_text


def chat_text(
    template: str,
    messages: Sequence[Mapping[str, Any]],
    *,
    add_generation_prompt: bool = False,
    **values: Any,
) -> str:
    """The text of a conversation.

    messages: each with a role and content. add_generation_prompt: open a turn of the assistant at
    the end. values: what else the template may use, such as bos_token.
    Raises ValueError for a template that is no Jinja, or refuses the conversation.
    """
    try:
        return compiled(template).render(
            messages=messages, add_generation_prompt=add_generation_prompt, **values
        )
    except TemplateError as error:
        raise ValueError(f"the chat template refuses this conversation: {error}") from None


@lru_cache
def compiled(template: str) -> Template:
    """The template, ready to run. Raises ValueError if it is no Jinja."""
    sandbox = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, _Generation]
    )
    sandbox.filters["tojson"] = _to_json
    sandbox.globals["raise_exception"] = _refuse
    sandbox.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    try:
        return sandbox.from_string(template)
    except TemplateSyntaxError as error:
        raise ValueError(f"the chat template is no Jinja: line {error.lineno}: {error}") from None


def load_template(folder: Path | str) -> str:
    """The chat template in a model's folder; "" if it has none.

    Raises ValueError for a damaged file, and for several templates under names.
    """
    alone, config = Path(folder) / "chat_template.jinja", Path(folder) / "tokenizer_config.json"
    if alone.exists():
        return read_text(alone)
    template = parse(read_text(config), config.name).get("chat_template") if config.exists() else ""
    if not isinstance(template, str | None):
        raise ValueError(f"{config.name} holds chat_template {template!r:.60}; read here is one")
    return template or ""


class _Generation(Extension):
    """{% generation %} marks what the assistant said, for training; to the text it is nothing."""

    tags = frozenset({"generation"})

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """What stands inside the block."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """JSON as it is; Jinja's own filter writes < and > in another way, for web pages."""
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _refuse(message: str) -> NoReturn:
    raise TemplateError(message)
