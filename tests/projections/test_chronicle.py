"""The chronicle tells everything that happened, in sentences, and keeps what is hidden to itself."""

from __future__ import annotations

import re

import msgspec
import pytest

from events import codec
from events.commands import (
    AgreeAbort,
    AnswerExtra,
    CommitEntropy,
    ExtendClock,
    HandToBot,
    LeaveSeat,
    ReclaimSeat,
    RemoveSeat,
    RevealEntropy,
    StartGame,
    WithdrawAction,
    WithdrawExtra,
)  # fmt: skip
from events.facts import ActValue
from events.rules.state import Choosing, Extra, Game
from events.sealed import commitment
from projections.chronicle import UNTOLD, ChronicleDoc
from projections.eyes import SPECTATOR, Eyes
from projections.phrases import CATALOGUES, SPOKEN, Line, Speaker
from projections.replay import moments
from projections.telling import lines_of
from projections.views import CHRONICLE, Views
from tests.games import KINDS, Kind, Sitting, command_of, liking, options, played, secret

each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def chronicle_of(sitting: Sitting) -> ChronicleDoc:
    """The chronicle now."""
    body = Views().see_all(sitting.entries, sitting.names).documents()[CHRONICLE]
    return msgspec.json.decode(body, type=ChronicleDoc)


def text_of(sitting: Sitting) -> list[str]:
    """Every sentence."""
    return [line.text for chapter in chronicle_of(sitting).chapters for line in chapter.lines]


def asked_to_lose(game: Game) -> bool:
    """Several cities are asked which building they lose."""
    return isinstance(game.phase, Extra) and game.phase.question == "lose" and len(game.phase.cities) > 1


def restless() -> Sitting:
    """A table at which people come, go, change their minds, run out of time and give up."""
    sitting = Sitting(options(3, turn_ms=600_000))
    sitting.gather()
    sitting.send(LeaveSeat(seat=1))
    sitting.send(RemoveSeat(seat=2))
    sitting.sit(1)
    sitting.sit(2)
    for seat in range(3):
        if sitting.game.people[seat].commitment is None:  # type: ignore[union-attr]
            sitting.send(CommitEntropy(seat=seat, entropy=commitment(secret(f"entropy {seat}"))))
    for seat in range(3):
        sitting.send(RevealEntropy(seat=seat, entropy=secret(f"entropy {seat}").hex()))
    sitting.send(StartGame())
    sitting.send(command_of(sitting.game, 0, 0, *liking(sitting.game, 0, sitting.luck)))
    sitting.send(WithdrawAction(seat=0, city=0, age=1, turn=1))
    sitting.send(ExtendClock(deadline=sitting.game.at + 700_000))
    for _ in range(3):
        sitting.clock.now += 800_000
        while sitting.step() and isinstance(sitting.game.phase, Choosing) and any(sitting.game.phase.choices):
            pass
    sitting.send(ReclaimSeat(seat=1))
    sitting.send(HandToBot(seat=1, bot="random"))
    sitting.send(ReclaimSeat(seat=1))
    for seat in range(3):
        sitting.send(AgreeAbort(seat=seat))
    return sitting


def changed_answer() -> Sitting:
    """A table at which somebody takes an answer back while others are still asked (R67)."""
    for seed in range(40):
        sitting = Sitting(options(5, True), seed).play(until=asked_to_lose)
        phase = sitting.game.phase
        if isinstance(phase, Extra):
            seat, city = phase.seats[0], phase.cities[0]
            sitting.send(command_of(sitting.game, seat, city, *liking(sitting.game, city, sitting.luck)))
            sitting.send(WithdrawExtra(seat=seat, city=city, age=sitting.game.age, turn=sitting.game.turn))
            return sitting.play()
    raise AssertionError("no game in which several cities lose a building")


def test_every_kind_of_event_has_its_sentence() -> None:
    """Whole games of every kind, with everything that people do beside playing: each event says something by itself."""
    told: dict[type, list[str]] = {}
    for sitting in (restless(), changed_answer(), *(played(kind) for kind in KINDS)):
        eyes = Eyes(SPECTATOR)
        for version, entry in sitting.entries:
            before = eyes.game if eyes.version else None
            event = eyes.see(version, entry, sitting.names)
            speaker = Speaker(eyes.game.box, eyes.game.called)
            lines = lines_of(before or eyes.game, event)
            assert lines, f"{type(event).__name__} says nothing"
            told.setdefault(type(event), []).extend(speaker.sentence(line) for line in lines)
    assert {kind.__name__ for kind in codec.EVENTS} == {kind.__name__ for kind in told}
    for kind, sentences in told.items():
        for sentence in sentences:
            assert re.fullmatch(r"[A-Z].*\.", sentence), f"{kind.__name__}: {sentence}"
            assert "{" not in sentence
            assert "None" not in sentence


@each_kind
def test_the_chronicle_tells_every_building_and_every_coin(kind: Kind) -> None:
    """Nothing that lies open is left out: buildings, stages, discards, payments, gains, tokens, battles, places."""
    sitting = played(kind)
    chronicle = chronicle_of(sitting)
    lines = [line for chapter in chronicle.chapters for line in chapter.lines]
    parts = [part for line in lines for part in line.parts]
    events = sitting.events
    counted = {name: sum(type(event).__name__ == name for event in events) for name in {type(event).__name__ for event in events}}
    assert sum(line.key.startswith("built") for line in lines) == counted["CardBuilt"]
    assert sum(line.key.startswith("stage") for line in lines) == counted["StageBuilt"]
    away = sum(line.key == "discarded" for line in lines)
    away += sum(int(str(line.params["cards"])) for line in lines if line.key in ("leftovers", "pile-discarded"))
    assert away == counted["CardDiscarded"]
    assert sum(part.key.startswith("part-paid") for part in parts) == counted.get("CoinsPaid", 0)
    gains = sum(part.key == "part-received" for part in parts) + sum(line.key.startswith("received") for line in lines)
    assert gains == counted["CoinsReceived"]
    joined = sum(part.key.startswith("part-joined") for part in parts) + sum(line.key.startswith("joined") for line in lines)
    assert joined == counted.get("ParticipationTaken", 0)
    assert sum(line.key in ("won", "tied") for line in lines) == 3 * len(sitting.game.cities)
    assert sum(line.key.startswith("scored") for line in lines) == len(sitting.game.cities)
    assert sum(line.key.startswith("penalty") for line in lines) == counted.get("PenaltySuffered", 0)
    assert sum(line.key == "rewarded" for line in lines) == counted.get("RewardGranted", 0)
    assert {type(event) for event in events} & UNTOLD
    turns = [(chapter.age, chapter.turn) for chapter in chronicle.chapters if chapter.part == "turn"]
    assert turns == [(age, turn) for age in (1, 2, 3) for turn in range(1, 7)]
    assert [chapter.part for chapter in chronicle.chapters if chapter.part != "turn"] == ["gathering", *["age-end"] * 3, "end"]


def test_a_turn_reads_like_a_story() -> None:
    """Who built what, at which price and paid to whom, stands in one sentence."""
    sentences = text_of(played(Kind(4, True, "booklet")))
    assert "A table for 4 players is opened, with the Edifice." in sentences
    assert "Ada takes seat 1." in sentences
    assert any(re.fullmatch(r"\w+ builds [\w ]+ \(\d coins? to \w+(, \d coins? to \w+)*\)\.", one) for one in sentences)
    assert any(
        re.fullmatch(r"\w+ builds stage \d \(.*for the project, joins [\w ]+, \d tokens? left.*\)\.", one) for one in sentences
    )
    assert any(re.fullmatch(r"\w+ builds [\w ]+, free by [\w ]+\.", one) for one in sentences)
    assert any(re.fullmatch(r"\w+ discards a card \(receives 3 coins\)\.", one) for one in sentences)
    assert any(re.fullmatch(r"\w+ beats \w+, \d+ to \d+: \d points?\.", one) for one in sentences)
    assert any(re.fullmatch(r"\w+: \d+ points, place 1\.", one) for one in sentences)


def test_people_come_and_go_in_the_chronicle() -> None:
    """Names are those of the moment: whoever left is still called by name where it is told."""
    sentences = text_of(restless())
    for told in (
        "Bo leaves the table.",
        "Cy is sent away by the host.",
        "Time is over for Ada: the written default is played.",
        "A bot (builder) takes over for Bo.",
        "A bot (random) takes over for Bo.",
        "Bo is back.",
        "Cy agrees to end the game.",
        "The clock is set back after an interruption.",
        "The game is ended unfinished, as all agreed.",
    ):
        assert told in sentences


def test_a_declined_pick_is_told() -> None:
    """R41 may be declined, and everybody hears it."""
    for seed in range(60):
        sitting = Sitting(options(3, wonders=("halikarnassos", "gizah", "rhodos")), seed)
        sitting.play(until=lambda game: isinstance(game.phase, Extra) and game.phase.question == "pick")
        phase = sitting.game.phase
        if isinstance(phase, Extra):
            seat = phase.seats[0]
            answer = AnswerExtra(
                seat=seat, city=seat, age=sitting.game.age, turn=sitting.game.turn, card=None, act=ActValue(kind="decline")
            )
            sitting.send(answer)
            who = sitting.game.called(seat)
            assert f"{who} may build from the discard pile." in text_of(sitting)
            assert f"{who} builds nothing from the discard pile." in text_of(sitting)
            return
    raise AssertionError("nobody was asked")


@each_kind
def test_the_chronicle_grows_like_a_book(kind: Kind) -> None:
    """However its events come in, the bytes are the same; chapters that are over never change."""
    sitting = played(kind)
    grown, chapters = Views(), 0
    before: ChronicleDoc | None = None
    for version, entry in sitting.entries:
        grown.see(version, entry, sitting.names)
        if version % 5 == 0 or version == len(sitting.entries):
            now = msgspec.json.decode(grown.chronicle.document(), type=ChronicleDoc)
            if before is not None:
                assert now.chapters[: len(before.chapters) - 1] == before.chapters[:-1]
            before, chapters = now, len(now.chapters)
    assert chapters == 23
    assert grown.chronicle.document() == Views().see_all(sitting.entries, sitting.names).documents()[CHRONICLE]


def test_the_catalogue_says_every_phrase_and_no_other() -> None:
    """Each language has the same keys and placeholders; parts are said by phrases of their own."""
    english = CATALOGUES["en"]
    for words in CATALOGUES.values():
        assert words.keys() == english.keys()
        for key, template in words.items():
            assert sorted(re.findall(r"{(\w+)}", template)) == sorted(re.findall(r"{(\w+)}", english[key])), key
    used = {name for template in english.values() for name in re.findall(r"{(\w+)}", template)}
    assert used - SPOKEN.keys() <= {"n", "number", "shields", "theirs", "place"}


def test_a_line_can_be_said_again_from_its_key_and_parameters() -> None:
    """The stored sentence is what the catalogue makes of the stored key: another language needs nothing else."""
    sitting = played(Kind(3, True, "publisher"))
    speaker = Speaker(sitting.game.box, sitting.game.called)
    lines = [line for chapter in chronicle_of(sitting).chapters for line in chapter.lines]
    assert len(lines) > 100
    for line in lines:
        params = {name: tuple(value) if isinstance(value, list) else value for name, value in line.params.items()}
        assert speaker.sentence(Line(key=line.key, params=params, parts=line.parts)) == line.text


def test_a_replay_has_a_sentence_for_each_event() -> None:
    """The ruler under a replay: every version once, with its words and every city's points, coins and shields."""
    sitting = played(Kind(4, True, "booklet"))
    found = moments(sitting.entries, sitting.names)
    assert [one.version for one in found] == list(range(1, len(sitting.entries) + 1))
    assert all(one.text for one in found)
    last = found[-1]
    assert last.totals == tuple(sheet.total for sheet in sitting.game.phase.sheets)  # type: ignore[union-attr]
    assert last.coins == tuple(city.coins for city in sitting.game.cities)
    assert last.rest
    assert not all(one.rest for one in found)
