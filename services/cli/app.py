"""`wonderlog` on the command line: what can be asked, and how each answer ends."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Group

from services.cli.voice import FAILED, REFUSED, Stop, complain, say_document, speak_aside

HOUSE = Group("Open the house", sort_key=1)
PLAY = Group("Play and watch", sort_key=2)
STUDY = Group("Study the game", sort_key=3)
KEEP = Group("Keep the house", sort_key=4)

# A command's module is imported when the command is asked for: `--help` and short commands start fast.
COMMANDS: tuple[tuple[Group, str, str, str], ...] = (
    # group  name         where it lives                       in one line
    (HOUSE, "serve",     "services.cli.serve:serve",          "Open the whole house: store, workers, clocks, API and pages."),
    (HOUSE, "api",       "services.cli.parts:api",            "Run only the HTTP API, for a house on many machines."),
    (HOUSE, "work",      "services.cli.parts:work",           "Run only a worker: it moves games on."),
    (HOUSE, "tick",      "services.cli.parts:tick",           "Run only the ticker: it watches clocks and what was forgotten."),
    (HOUSE, "project",   "services.cli.parts:project",        "Run only the projector: it writes what people see."),
    (PLAY,  "new",       "services.cli.new:new",              "Open a table, for people, bots or both."),
    (PLAY,  "start",     "services.cli.start:start",          "Begin a table that you opened; bots take the free seats."),
    (PLAY,  "play",      "services.cli.play:play",            "Play a game in the terminal, against bots or with friends."),
    (PLAY,  "replay",    "services.cli.replay:replay",        "Step through a game as it happened, as anyone saw it."),
    (STUDY, "export",    "services.cli.export:export",        "Take a game home: a file that anyone can check."),
    (STUDY, "audit",     "services.cli.audit:audit",          "Check a game or a file of it: recompute and compare everything."),
    (STUDY, "dispute",   "services.cli.dispute:dispute",      "Lay one turn of one seat open, with the rulings."),
    (STUDY, "simulate",  "services.cli.simulate:simulate",    "Let bots play many games and compare the wonders."),
    (STUDY, "position",  "services.cli.position:position",    "Play a position out that was set up by hand."),
    (STUDY, "legal",     "services.cli.position:legal",       "List everything that a city may do in a position."),
    (KEEP,  "status",    "services.cli.status:status",        "Show how the house is: games, overdue steps, failed jobs."),
    (KEEP,  "rebuild",   "services.cli.upkeep:rebuild",       "Write everything that people see again, from the logs."),
    (KEEP,  "archive",   "services.cli.upkeep:archive",       "Move a finished game's verified log out of the store."),
)  # fmt: skip

NAMES = frozenset(name for _, name, _, _ in COMMANDS)

EPILOGUE = """A first game: `wonderlog play`. A house for friends: `wonderlog serve --host 0.0.0.0`.
Each command tells more: `wonderlog play --help`. Programs add --json.
Exit status: 0 done, 1 something failed, 2 the request was refused (a wrong option, play or document)."""


def _version() -> str:
    from importlib import metadata  # a tenth of the time of `--help`, which does without it

    return metadata.version("wonderlog")


def _at_length(name: str) -> dict[str, str]:
    """What a command says about itself: its docstring, its lines joined to paragraphs, and some ways to use it."""
    place, _, function = next(place for _, known, place, _ in COMMANDS if known == name).partition(":")
    module = importlib.import_module(place)
    told = inspect.getdoc(getattr(module, function)) or ""
    lines: Sequence[str] = module.EXAMPLES[name]
    return {
        "help": "\n\n".join(" ".join(paragraph.split()) for paragraph in told.split("\n\n")),
        "help_epilogue": "\n".join(["Examples:", *(f"  {line}" for line in lines)]),
    }


def build(asked: str = "") -> App:
    """The application with every command, none of them imported yet; the one that is `asked` for speaks at length for itself."""
    app = App(
        name="wonderlog",
        help="An event-sourced table for 7 Wonders: every game is a log that anyone can replay.",
        help_epilogue=EPILOGUE,
        help_format="plaintext",
        version=_version,
    )
    app["--help"].group = app["--version"].group = Group("Options", sort_key=9)
    for order, (group, name, place, line) in enumerate(COMMANDS):
        told = _at_length(name) if name == asked else {"help": line}
        app.command(place, name=name, group=group, sort_key=order, **told)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Carries one command out; the exit status."""
    tokens = list(sys.argv[1:] if arguments is None else arguments)
    in_json = "--json" in tokens
    speak_aside(False)
    try:
        answer = build(next(iter(tokens), ""))(tokens, exit_on_error=False, print_error=not in_json, result_action="return_value")
        return answer if isinstance(answer, int) else 0
    except CycloptsError as error:
        if in_json:
            say_document({"error": {"reason": "usage", "message": str(error)}})
        return REFUSED
    except Stop as stop:
        if in_json:
            say_document({"error": {"reason": stop.reason, "message": str(stop)}})
        else:
            complain(str(stop), stop.advice)
        return stop.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read us has read enough; what is still buffered must not complain at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
