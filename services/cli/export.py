"""A game to take home, as a file that anyone can check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from projections.archive import unpack
from projections.bundle import MANIFEST, Manifest
from services.cli.proofs import fetch_bundle
from services.cli.voice import Data, InJson, Stop, StoreUrl, page, say_document

EXAMPLES = {
    "export": (
        "wonderlog export GAME -o game.zip",
        "wonderlog export GAME -o seat-2.zip --as 2    only what seat 2 could see",
        "wonderlog export GAME -o game.zip --url http://127.0.0.1:8777",
    )
}


def export(
    game: Annotated[str, Parameter(help="The game's id.")],
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The file to write.")],
    whose: Annotated[
        str | None, Parameter(name="--as", show_default=False, help="spectator, all, or a seat from 0. [default: all one may see]")
    ] = None,
    url: Annotated[str | None, Parameter(show_default=False, help="A house, where its store is elsewhere.")] = None,
    data: Data = None,
    store: StoreUrl = None,
    json: InJson = False,
) -> None:
    """Write a game's bundle: its log, links, openings, the host's signatures and the card data, as docs/audit.md describes them.

    Once a game is closed everything is open; before that a bundle holds what its reader may know. The same game gives the same
    bytes. Keys of --json: game, file, bytes, versions, viewer, closed.
    """
    raw, _ = fetch_bundle(game, whose, url, data, store)
    manifest = msgspec.json.decode(unpack(raw)[MANIFEST], type=Manifest)
    try:
        output.write_bytes(raw)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}.", "Name another file with -o.", reason="file") from None
    if json:
        say_document(
            {
                "game": game,
                "file": str(output),
                "bytes": len(raw),
                "versions": manifest.versions,
                "viewer": manifest.viewer,
                "closed": manifest.closed,
            }
        )
    else:
        page().print(f"{manifest.versions} events as {manifest.viewer} may see them: {output} ({len(raw):,} bytes).", markup=False)
        page().print(f"  wonderlog audit {output}", style="cyan", markup=False)
