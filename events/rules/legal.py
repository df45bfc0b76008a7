"""Everything that a seat may do now, with every payment: exactly what `decide` accepts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from events.catalogue import Box
from events.rules.building import FREE, Trader, card_price, stage_payments, trader
from events.rules.edifice import candidates, may_join, project_coins
from events.rules.known import all_known
from events.rules.state import Choosing, City, Extra, Game
from events.rules.trade import NOTHING_TO_PAY, Payment
from events.vocabulary import ActKind, CardId, Free


class Play(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One way to use one card.

    payments: every (coins left, coins right), sorted.  free: why it costs nothing.  joinable: the payments that leave coins
    for the project, () if joining is not possible.  options: the stage's option words.
    """

    kind: ActKind
    card: CardId | None
    payments: tuple[Payment, ...] = ()
    free: Free | None = None
    joinable: tuple[Payment, ...] = ()
    options: tuple[str, ...] = ()


def legal(game: Game, city: int, own: CardId | None = None) -> tuple[Play, ...]:
    """The plays of a city: builds, stages, discards, each in catalogue order, a card held twice once.

    () if nothing is asked of it, or nothing can be changed any more.

    For the Free City `own` is the card that its holder chose for the own city: without it the list is that of the holder's
    whole hand (R94).
    """
    phase = game.phase
    if isinstance(phase, Choosing) and not all(phase.choices):
        return _turn_plays(game, city, choosable(game, city, own))
    if isinstance(phase, Extra) and city in phase.cities and not all(phase.answers):
        return _extra_plays(game, phase, city)
    return ()


def choosable(game: Game, city: int, own: CardId | None = None) -> tuple[CardId, ...]:
    """The cards a city may choose from, in catalogue order: its hand, with the holder's drawn card; the Free City's is the
    holder's without `own`."""
    if game.free is None:
        return all_known(game.cities[city].hand)
    who = game.answerer(city)
    cards = list(all_known(game.cities[who].hand))
    if game.has_drawn and who == game.holder and game.drawn is not None:
        cards.append(game.drawn)
    if city == game.free and own in cards:
        cards.remove(own)
    return game.box.sorted(cards)


class _Plain(Struct, frozen=True, eq=False, gc=False):
    """The plays with nobody to pay, one for every card: they need not be made anew for each hand."""

    discards: dict[CardId, Play]
    stages: dict[CardId, Play]
    builds: dict[Free | None, dict[CardId, Play]]


@lru_cache(maxsize=8)
def _plain(box: Box) -> _Plain:
    return _Plain(
        {card: Play(kind="discard", card=card) for card in box.cards},
        {card: Play(kind="stage", card=card, payments=NOTHING_TO_PAY) for card in box.cards},
        {
            free: {card: Play(kind="build", card=card, payments=NOTHING_TO_PAY, free=free) for card in box.cards}
            for free in (None, *FREE)
        },
    )


def _turn_plays(game: Game, city: int, cards: tuple[CardId, ...]) -> tuple[Play, ...]:
    hand, who, plain = dict.fromkeys(cards), trader(game, city), _plain(game.box)
    plays = _builds(who, hand, plain)
    if ways := stage_payments(who):
        joinable = stage_payments(who, project_coins(game)) if may_join(game, city) else ()
        options = who.stage.options
        if ways is NOTHING_TO_PAY and not joinable and not options:
            plays += map(plain.stages.__getitem__, hand)
        else:
            plays += [Play(kind="stage", card=card, payments=ways, joinable=joinable, options=options) for card in hand]
    if not plays or city != game.free:  # R94: the Free City discards only if it can do nothing else
        plays += map(plain.discards.__getitem__, hand)
    return tuple(plays)


def _builds(who: Trader, hand: Iterable[CardId], plain: _Plain) -> list[Play]:
    names, prints, builds = who.names, who.prints, plain.builds
    plays = []
    for card in hand:
        if prints[card].name not in names:
            price = card_price(who, card)
            payments = price.payments
            if payments is NOTHING_TO_PAY:
                plays.append(builds[price.free][card])
            elif payments:
                plays.append(Play(kind="build", card=card, payments=payments))
    return plays


def _extra_plays(game: Game, phase: Extra, city: int) -> tuple[Play, ...]:
    match phase.question:
        case "last-card":
            return _turn_plays(game, city, known_offer(phase, city))
        case "pick":
            plays = [
                Play(kind="pick", card=card, payments=NOTHING_TO_PAY, free="discard")
                for card in pickable(game, game.cities[city], known_offer(phase, city))
            ]
            return (*plays, Play(kind="decline", card=None))
        case "lose":
            return tuple(Play(kind="lose", card=card) for card in candidates(game, city))


def known_offer(phase: Extra, city: int) -> tuple[CardId, ...]:
    """The cards that an asked city may use, as far as the viewer knows them."""
    return all_known(phase.offers[phase.cities.index(city)])


def pickable(game: Game, city: City, pile: tuple[CardId | None, ...]) -> tuple[CardId, ...]:
    """The cards of the discard pile that a city may build: no name twice (R19, R41); in catalogue order, each once."""
    box = game.box
    standing = {box.cards[card].name for card in city.built}
    return box.sorted({card for card in pile if card is not None and box.cards[card].name not in standing})
