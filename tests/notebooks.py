"""Small notebooks for the tests of what runs and checks notebooks."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output


def code(source, printed="", *, tags=(), outputs=(), count=0):
    """Return a code cell as it is saved: what it printed, or other outputs.

    count is its execution count: None for a cell never run, 0 for its place in the notebook.
    """
    saved = [stream(printed)] if printed else list(outputs)
    cell = new_code_cell(source, outputs=saved, execution_count=count)
    if tags:
        cell.metadata["tags"] = list(tags)
    return cell


def value(text, **data):
    """Return the output of a last line that shows a value."""
    return new_output("execute_result", data={"text/plain": text, **data}, execution_count=1)


def display(text, **data):
    """Return the output of display(), with a picture as image_png=."""
    kinds = {key.replace("_", "/"): content for key, content in data.items()}
    return new_output("display_data", data={"text/plain": text, **kinds})


def error(name, message):
    """Return the output of a cell that raised."""
    return new_output("error", ename=name, evalue=message, traceback=[])


def stream(text):
    """Return text that was printed."""
    return new_output("stream", name="stdout", text=text)


def stderr(text):
    """Return text on stderr."""
    return new_output("stream", name="stderr", text=text)


def write(path, *cells, title="# A lesson"):
    """Write a notebook; cells whose count is 0 get their place, 1, 2, ... Return the path."""
    for number, cell in enumerate(cells, start=1):
        if cell.get("execution_count") == 0:
            cell.execution_count = number
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = new_notebook(cells=[new_markdown_cell(title), *cells])
    notebook.metadata["kernelspec"] = {"display_name": "Python 3", "name": "python3"}
    nbformat.write(notebook, path)
    return path
