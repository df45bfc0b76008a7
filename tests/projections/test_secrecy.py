"""What is hidden stays hidden: no byte that a viewer gets depends on a card, a choice or a key that the viewer may not know."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import msgspec
import pytest

import events.transact
from events import codec, facts as f
from events.codec import SPECTATOR
from events.commands import AnyCommand, ChooseAction
from events.facts import ActValue, AnyEvent, CardValue
from events.rules import Game, fold, legal, outcome
from events.sealed import Sealed, bot_entropy, nonce_of
from projections.views import Views, hand_of
from tests.games import BOARDS, KINDS, Kind, Sitting, acts, command_of, liking, options, own_card, played, secret
from tests.projections.given import moments_of, plain, strings

each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)
NO_PICKS = tuple(board for board in BOARDS if board not in ("halikarnassos", "carthage"))
"""Boards without R41: whether a pick is asked is one of the few things about hidden cards that the rules themselves tell."""
SEAL = re.compile(rb'"seal":"[0-9a-f]{64}"')


# ---- nothing hidden stands in any byte ------------------------------------------------------------------------------------
def opened_cards(event: AnyEvent) -> set[str]:
    """The cards that an event shows to everybody."""
    match event:
        case f.CardBuilt(card=card):
            return {card}
        case f.PenaltySuffered(card=str(card)):
            return {card}
        case f.TurnRevealed() | f.ExtraRevealed():
            values = [msgspec.json.decode(one.bytes, type=CardValue) for one in event.openings if one.path == "card"]
            return {value.card for value in values if value.card is not None}
        case _:
            return set()


def shown_to(event: AnyEvent, viewer: int) -> set[str]:
    """The cards behind the seals of an event that a viewer may read (`event` as the server knows it)."""
    found: set[str] = set()
    for _, sealed in codec.seals(event):
        if viewer in sealed.readers:
            found |= set(cards_in(sealed.value))
    return found


def cards_in(value: object) -> Iterator[str]:
    """The cards of a sealed value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from value
    elif isinstance(value, CardValue) and value.card is not None:
        yield value.card


@each_kind
def test_no_view_names_a_card_that_its_viewer_does_not_know(kind: Kind) -> None:
    """In a whole game, at each version: every card in a document was shown to its viewer before."""
    sitting = played(kind)
    cards = set(sitting.game.box.cards)
    known: dict[int, set[str]] = {viewer: set() for viewer in (SPECTATOR, *range(kind.players))}
    named: dict[int, set[str]] = {viewer: set() for viewer in known}
    for game, views, event in moments_of(sitting):
        for viewer, seen in known.items():
            seen |= opened_cards(event) | shown_to(event, viewer)
        if game.version % 11:
            continue
        documents = views.documents()
        for viewer, seen in known.items():
            names = [hand_of(viewer)] if viewer >= 0 else [name for name in documents if not name.startswith("hand/")]
            found = {text for name in names for text in strings(plain(documents[name])) if text in cards}
            assert found <= seen, f"version {game.version}, viewer {viewer}: {found - seen}"
            named[viewer] |= found
    assert all(len(found) > 20 for found in named.values())


@each_kind
def test_no_public_byte_names_a_hidden_card(kind: Kind) -> None:
    """In the bytes of the log a card stands only where it is built, lost or turned over to be built."""
    sitting = played(kind)
    cards = set(sitting.game.box.cards)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, cards))})(?![\w-])")
    open_cards: set[str] = set()
    for (_, entry), event in zip(sitting.entries, sitting.events, strict=True):
        if isinstance(event, (f.TurnRevealed, f.ExtraRevealed)):
            opened = [one for one in event.openings if one.path == "card"]
            kinds = {one.version: msgspec.json.decode(one.bytes, type=ActValue).kind for one in event.openings if one.path == "act"}
            assert {kinds[one.version] for one in opened} <= {"build", "pick", "decline", "lose"}
        open_cards |= opened_cards(event)
        if not isinstance(event, (f.GameOpened, f.GameStarted, f.GameScored)):
            assert set(pattern.findall(entry.e.decode())) <= open_cards, event
    assert len(open_cards) > 30


@each_kind
def test_no_key_nonce_or_secret_leaves_the_house(kind: Kind) -> None:
    """Views hold no key, nonce, token or entropy; the log none but the nonces of what is opened, until its last entry."""
    sitting = played(kind)
    views = b"".join(Views().see_all(sitting.entries, sitting.names).documents().values())
    public = b"".join(entry.e for _, entry in sitting.entries[:-1])
    opened = {(one.version, one.path) for event in sitting.events for one in getattr(event, "openings", ())}
    hidden = []
    for version, event in enumerate(sitting.events, 1):
        for path, _ in codec.seals(event):
            nonce = nonce_of(sitting.key, version, path).hex()
            hidden.append(nonce)
            assert (nonce.encode() in public) == ((version, path) in opened)
    assert len(hidden) > 100
    key = sitting.key.hex()
    tokens = [secret(f"token {seat}").hex() for seat in range(kind.players)]
    for one in (key, *tokens):
        assert one.encode() not in public
    for one in (key, *tokens, *hidden, *(secret(f"entropy {seat}").hex() for seat in range(kind.players))):
        assert one.encode() not in views
    assert f'"key":"{key}"'.encode() in sitting.entries[-1][1].e


def test_a_bot_adds_no_secret_of_the_key() -> None:
    """The entropies of bots are derived from the key, and say nothing about it."""
    sitting = Sitting(options(3), bots=[0, 2]).play(until=lambda game: game.turn == 2)
    public = b"".join(entry.e for _, entry in sitting.entries)
    assert bot_entropy(sitting.key, 0).hex().encode() in public
    assert sitting.key.hex().encode() not in public


# ---- non-interference: another hidden card, and nobody else sees a difference -----------------------------------------------
Tamper = Callable[[AnyEvent], AnyEvent]


def again(first: Sitting, monkeypatch: pytest.MonkeyPatch, tamper: Tamper, change: Callable[[AnyCommand], AnyCommand]) -> Sitting:
    """The same public play over the one write path, with events tampered with as they are decided and commands changed."""

    def decided(game: Game, command: AnyCommand) -> tuple[tuple[AnyEvent, ...], Game]:
        told = tuple(tamper(event) for event in outcome(game, command)[0])
        return told, fold(game, told)

    second = Sitting(first.rules, int(first.seed))
    with monkeypatch.context() as patched:
        patched.setattr(events.transact, "outcome", decided)
        for command in first.commands[1:]:
            second.send(change(command))
    return second


def dealt_otherwise(seat: int, age: int, card: str, other: str) -> Tamper:
    """One card of one hand of one Age is another one."""

    def tamper(event: AnyEvent) -> AnyEvent:
        if not isinstance(event, f.AgeDealt) or event.age != age:
            return event
        hands = list(event.hands)
        hand = hands[seat].value
        assert isinstance(hand, tuple)
        order = events.transact.current().order
        place = hand.index(card)
        changed = tuple(sorted((*hand[:place], other, *hand[place + 1 :]), key=order.__getitem__))
        hands[seat] = Sealed(readers=hands[seat].readers, value=changed)
        return msgspec.structs.replace(event, hands=tuple(hands))

    return tamper


def check_nothing_shows(first: Sitting, second: Sitting, but: frozenset[int]) -> None:
    """At each version, for every viewer but those in the know: public bytes equal but for seals; openings and views byte-equal."""
    assert len(first.entries) == len(second.entries)
    one, two = Views(), Views()
    differs = 0
    viewers = [viewer for viewer in (SPECTATOR, *range(first.rules.players)) if viewer not in but]
    for (version, mine), (_, theirs) in zip(first.entries, second.entries, strict=True):
        assert SEAL.sub(b"", mine.e) == SEAL.sub(b"", theirs.e), f"entry {version}"
        differs += mine.e != theirs.e
        for viewer in viewers:
            opened = [codec.openings(version, entry.e, entry.s, first.names, first.key, viewer) for entry in (mine, theirs)]
            assert opened[0] == opened[1]
        one.see(version, mine, first.names)
        two.see(version, theirs, second.names)
        if version % 4 == 0 or version == len(first.entries):
            shown, other = one.documents(), two.documents()
            for name in shown:
                if name not in {hand_of(seat) for seat in but}:
                    assert shown[name] == other[name], f"{name} at version {version}"
    assert differs, "the two games do not differ at all"
    assert first.names == second.names


def laying_away(game: Game, city: int, luck: random.Random) -> tuple[ActValue, str | None]:
    """With an Age's first card seat 0 discards, seat 1 builds a stage if it can; later as it comes."""
    if game.turn == 1 and city in (0, 1):
        plays = legal(game, city, own_card(game, city))
        for play in plays:
            if play.kind == ("discard" if city == 0 else "stage"):
                return acts(play)[0], play.card
    return liking(game, city, luck)


def laid_away(sitting: Sitting) -> list[tuple[int, int, str, str]]:
    """(seat, age, card, kind) of an Age's first cards that were buried or discarded: only that seat ever saw them."""
    found = []
    for event in sitting.events:
        if isinstance(event, f.ActionChosen) and event.turn == 1 and event.city == event.seat:
            assert isinstance(event.act.value, ActValue)
            assert isinstance(event.card.value, CardValue)
            if event.act.value.kind in ("discard", "stage"):
                found.append((event.seat, event.age, event.card.value.card or "", event.act.value.kind))
    return found


@pytest.mark.parametrize("kind", [Kind(3, False, "booklet"), Kind(4, True, "publisher"), Kind(7, True, "booklet")], ids=str)
def test_another_card_laid_away_shows_to_nobody_else(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same play, but the card that one seat discards or buries is another: all others see the same bytes."""
    boards = NO_PICKS if kind.edifice else NO_PICKS[:-1]
    first = Sitting(msgspec.structs.replace(kind.rules, wonders=boards), 5).play(taste=laying_away)
    kinds = set()
    for seat, age, card, what in laid_away(first):
        hand = next(event for event in first.events if isinstance(event, f.AgeDealt) and event.age == age).hands[seat].value
        assert isinstance(hand, tuple)
        other = next(one for one in first.game.box.cards if one not in hand)

        def change(command: AnyCommand, seat: int = seat, age: int = age, card: str = card, other: str = other) -> AnyCommand:
            if isinstance(command, ChooseAction) and (command.seat, command.age, command.turn) == (seat, age, 1):
                assert command.card == card
                return msgspec.structs.replace(command, card=other)
            return command

        second = again(first, monkeypatch, dealt_otherwise(seat, age, card, other), change)
        check_nothing_shows(first, second, frozenset({seat}))
        kinds.add(what)
    assert kinds == {"discard", "stage"}


def test_a_choice_that_was_changed_shows_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lay face down before it was exchanged: the others see that somebody has chosen, and chosen anew."""
    first = Sitting(options(4, True), 3)
    first.start()
    plays = legal(first.game, 0)
    before = [(acts(play)[0], play.card) for play in plays]
    for place in (0, 1):
        first.send(command_of(first.game, 0, 0, *before[place]))
    first.play()
    at = next(place for place, command in enumerate(first.commands) if isinstance(command, ChooseAction))
    for act, card in before[2:]:

        def change(command: AnyCommand, act: ActValue = act, card: str | None = card) -> AnyCommand:
            if command is first.commands[at]:
                return msgspec.structs.replace(command, act=act, card=card)
            return command

        check_nothing_shows(first, again(first, monkeypatch, lambda event: event, change), frozenset({0}))


@pytest.mark.parametrize("control", ["age", "turn"])
def test_what_is_left_in_the_pile_shows_to_nobody(control: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """R96: the pile's last card is discarded unseen; another card there changes nothing for anybody."""
    rules = options(2, True, free_city_control=control, wonders=("alexandria", "ephesos", "gizah", "rhodos"))
    first = Sitting(rules, 4).play()

    def tamper(event: AnyEvent) -> AnyEvent:
        if not isinstance(event, f.AgeDealt) or event.pile is None:
            return event
        assert isinstance(event.pile.value, tuple)
        other = next(card for card in first.game.box.cards if card not in event.pile.value)  # type: ignore[operator]
        return msgspec.structs.replace(event, pile=Sealed(readers=(), value=(*event.pile.value[:-1], other)))

    check_nothing_shows(first, again(first, monkeypatch, tamper, lambda command: command), frozenset())


def test_the_drawn_card_and_the_free_citys_choice_show_to_the_holder_only() -> None:
    """Two players: the other one sees that a card was drawn and that the Free City's choice is made."""
    sitting = Sitting(options(2), 2)
    sitting.start()
    game = sitting.game
    holder = game.holder
    assert holder is not None
    for city in (holder, 2):
        sitting.send(command_of(sitting.game, holder, city, *liking(sitting.game, city, sitting.luck)))
    documents = Views().see_all(sitting.entries, sitting.names).documents()
    own, other, table = (plain(documents[name]) for name in (hand_of(holder), hand_of(1 - holder), "table"))
    assert own["you"]["drawn"] == game.drawn
    assert [one["chosen"]["card"] for one in own["you"]["questions"]][1]
    assert [one["chosen"] for one in table["awaiting"] if one["city"] == 2] == [True]
    unseen = set(game.pile) | {game.drawn} | set(game.cities[holder].hand)
    seen = set(game.cities[1 - holder].hand)
    assert unseen - seen
    assert not (set(strings(other)) & (unseen - seen))


@each_kind
def test_documents_never_change_afterwards(kind: Kind) -> None:
    """A viewer's stream up to a version, and the document it gives, is the same whatever is appended later."""
    sitting = played(kind)
    entries, names = sitting.entries, sitting.names
    middle = len(entries) // 2
    prefix = Views().see_all(entries[:middle], names).documents()
    early = {path: opening for path, opening in names.items() if int(path.partition("/")[0]) <= middle}
    assert Views().see_all(entries[:middle], early).documents() == prefix
    for viewer in (SPECTATOR, *range(kind.players)):
        before = [codec.read(version, entry.e, entry.s, early, viewer) for version, entry in entries[:middle]]
        after = [codec.read(version, entry.e, entry.s, names, viewer) for version, entry in entries][:middle]
        assert before == after
