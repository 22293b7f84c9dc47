"""The command line of the course: python -m helpers COMMAND.

An old Python must be able to read this file, so that it can say that it is too old. So there is
nothing newer than Python 3.6 here, and a command's own module is imported only when it runs.
"""

import sys
import warnings

from helpers.course import environment


def setup(arguments):
    """Make .venv and install what the course needs."""
    return environment.main_setup(arguments)


def link(arguments):
    """Make `import helpers` work everywhere in this environment."""
    return environment.main_link(arguments)


def learn(arguments):
    """Open a lesson in JupyterLab: your own copy, brought up to date."""
    from helpers.course import learning

    return learning.learn(arguments)


def check(arguments):
    """Check your answers: of all lessons, or those given by number or file."""
    from helpers.exercises import commands

    return commands.check(arguments)


def progress(arguments):
    """Show which exercises you have tried and solved."""
    from helpers.exercises import commands

    return commands.progress(arguments)


def submit(arguments):
    """Gather your answers into one file to hand in."""
    from helpers.grading import commands

    return commands.submit(arguments)


def verify(arguments):
    """Check the answers in a file that you are about to hand in."""
    from helpers.grading import commands

    return commands.verify(arguments)


def grade(arguments):
    """Grade all submissions of a folder, each in a sandbox."""
    from helpers.grading import commands

    return commands.grade(arguments)


def lessons(arguments):
    """Run lessons on clean kernels; --save keeps the fresh outputs."""
    from helpers.course import lesson_runner

    return lesson_runner.main(arguments)


def pretrained(arguments):
    """Train those small models of data/models that are missing; --again trains all."""
    from helpers.training import pretrained

    return pretrained.main(arguments)


def real_model(arguments):
    """Fetch the file of a real model, for lesson 18 and later ones, unless it is there."""
    from helpers.real_models import model_file

    return model_file.main(arguments)


def tokenizer(arguments):
    """Compare our tokenizer with the tokenizers library on 100,000 strings; some minutes."""
    from helpers.benchmark import tokenizer_agreement

    return tokenizer_agreement.main(arguments)


def benchmark(arguments):
    """Measure generation with and without a cache, for lesson 11; can be interrupted."""
    from helpers.benchmark import cache_grid

    return cache_grid.main(arguments)


def training_step(arguments):
    """Time a training step beside the transformers library; some minutes."""
    from helpers.benchmark import training_step

    return training_step.main(arguments)


def scaling(arguments):
    """Train models of many sizes on a known language, for lesson 25; can be interrupted."""
    from helpers.benchmark import scaling

    return scaling.main(arguments)


def noise(arguments):
    """Measure gradient noise and batch sizes, for lesson 24b; can be interrupted."""
    from helpers.benchmark import noise

    return noise.main(arguments)


def width(arguments):
    """Find the best rate of three widths, for lesson 24b; can be interrupted."""
    from helpers.benchmark import width

    return width.main(arguments)


def decoding(arguments):
    """Measure decoding beside other systems on the real model; can be interrupted."""
    from helpers.benchmark import decoding

    return decoding.main(arguments)


def site(arguments):
    """Build the course as a web book in .build/site, from the saved outputs."""
    from helpers.site import build

    return build.main(arguments)


COMMANDS = {
    "setup": setup,
    "link": link,
    "learn": learn,
    "check": check,
    "progress": progress,
    "submit": submit,
    "verify": verify,
    "grade": grade,
    "lessons": lessons,
    "pretrained": pretrained,
    "real-model": real_model,
    "tokenizer": tokenizer,
    "benchmark": benchmark,
    "training-step": training_step,
    "noise": noise,
    "width": width,
    "scaling": scaling,
    "decoding": decoding,
    "site": site,
}


def usage():
    """Return one line for each command."""
    lines = ["usage: python -m helpers COMMAND"]
    for name, command in COMMANDS.items():
        lines.append("  {:<15}{}".format(name, command.__doc__))
    return "\n".join(lines)


def main(arguments):
    """Run the command named first; return the exit status, 2 for a wrong command."""
    if not sys.warnoptions:  # python -W default shows them
        warnings.simplefilter("ignore")  # what libraries tell those who write programs
    if hasattr(sys.stdout, "reconfigure"):
        # a terminal without a sign, such as an arrow, shows its number; nothing is lost
        sys.stdout.reconfigure(errors="backslashreplace")
    if arguments[:1] in (["-h"], ["--help"], ["help"]):
        print(usage())
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        given = "no command" if not arguments else "unknown command {!r}".format(arguments[0])
        print("{}\n{}".format(given, usage()), file=sys.stderr)
        return 2
    from helpers import hiding

    for line in hiding.sentences():
        print(line, file=sys.stderr)
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except ModuleNotFoundError as error:
        if sys.prefix != sys.base_prefix:
            raise
        print(
            "This Python has no {}: run `.venv/bin/python -m helpers {}` "
            "(Windows: `.venv\\Scripts\\python`), after `make setup`.".format(
                error.name, " ".join(arguments)
            ),
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
