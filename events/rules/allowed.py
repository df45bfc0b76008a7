"""Whether a play or an answer is allowed, and the one reason why it is not."""

from __future__ import annotations

from events.facts import ActValue
from events.refusals import Reason, Refusal
from events.rules.building import card_price, next_stage, stage_options, stage_payments, trader
from events.rules.edifice import candidates, project_of, why_not_join
from events.rules.legal import known_offer, pickable
from events.rules.state import Extra, Game
from events.rules.trade import Payment
from events.rules.words import begun, cannot_pay, payments_in_words, stage_in_words
from events.vocabulary import CardId

PLAYS = ("build", "stage", "discard")


def refuse_play(game: Game, city: int, act: ActValue, card: CardId, cards: tuple[CardId, ...]) -> None:
    """Raises Refusal unless `legal` lists this play: the card, the Free City's duty, the name, the stage, participation,
    the option, money, in that order."""
    if act.kind not in PLAYS:
        raise Refusal(Reason.NOT_OFFERED, f"{act.kind!r} is no answer here: build, stage or discard.", city)
    if card not in cards:
        raise Refusal(Reason.NOT_IN_HAND, f"{begun(game.called(city))} does not hold {card!r}.", city)
    match act.kind:
        case "discard":
            _refuse_discard(game, city, act, cards)
        case "build":
            _refuse_build(game, city, act, card)
        case _:
            _refuse_stage(game, city, act)


def _refuse_discard(game: Game, city: int, act: ActValue, cards: tuple[CardId, ...]) -> None:
    if city == game.free and _usable(game, city, cards):
        raise Refusal(
            Reason.FREE_CITY_MUST_BUILD, "The Free City discards only when it can neither build nor build a stage (R94).", city
        )
    if act.participate or act.option is not None:
        raise Refusal(Reason.UNKNOWN_OPTION, "A discard takes neither an option nor a token.", city)
    if act.left or act.right:
        raise Refusal(Reason.WRONG_PAYMENT, "A discard costs nothing.", city)


def _usable(game: Game, city: int, cards: tuple[CardId, ...]) -> bool:
    """R94: whether any of the cards can be built, or the next stage."""
    who = trader(game, city)
    if cards and stage_payments(who):
        return True
    return any(game.box.cards[card].name not in who.names and card_price(who, card).payments for card in cards)


def _refuse_build(game: Game, city: int, act: ActValue, card: CardId) -> None:
    who = trader(game, city)
    facts = game.box.cards[card]
    if facts.name in who.names:
        raise Refusal(Reason.ALREADY_BUILT, f"{begun(game.called(city))} has a {facts.name} already (R19).", city)
    if act.participate:
        raise Refusal(Reason.NOT_OFFERED, "Only a wonder stage can join a project (R62).", city)
    if act.option is not None:
        raise Refusal(Reason.UNKNOWN_OPTION, f"{facts.name} has no option.", city)
    price = card_price(who, card)
    if not price.payments:
        raise Refusal(Reason.CANNOT_PAY, cannot_pay(game, city, facts.name, facts.cost), city)
    _refuse_payment(game, city, facts.name, price.payments, act)


def _refuse_stage(game: Game, city: int, act: ActValue) -> None:
    stage = next_stage(game.box, game.cities[city])
    if stage is None:
        raise Refusal(Reason.NO_STAGE_LEFT, f"{begun(game.called(city))} has built all stages (R20).", city)
    who = trader(game, city)
    if act.participate:
        _refuse_joining(game, city)
    options = stage_options(stage)
    if act.option is None and options:
        raise Refusal(Reason.OPTION_NEEDED, f"This stage is built with one of: {', '.join(options)} (R33).", city)
    if act.option is not None and act.option not in options:
        choice = f"one of: {', '.join(options)}" if options else "no option"
        raise Refusal(Reason.UNKNOWN_OPTION, f"{act.option!r} is not offered: this stage has {choice}.", city)
    extra = project_of(game).coins if act.participate else 0
    ways = stage_payments(who, extra)
    if not ways:
        raise Refusal(Reason.CANNOT_PAY, cannot_pay(game, city, stage_in_words(game, city), stage.cost, extra), city)
    _refuse_payment(game, city, stage_in_words(game, city), ways, act)


def _refuse_joining(game: Game, city: int) -> None:
    reason = why_not_join(game, city)
    if reason is None:
        return
    sentence = {
        Reason.EDIFICE_OFF: "This table plays without the Edifice.",
        Reason.ALREADY_PARTICIPATING: f"{begun(game.called(city))} has held this Age's token already (R62).",
        Reason.NO_TOKEN_LEFT: "No token is left on the project (R63).",
    }[reason]
    raise Refusal(reason, sentence, city)


def _refuse_payment(game: Game, city: int, what: str, ways: tuple[Payment, ...], act: ActValue) -> None:
    if (act.left, act.right) not in ways:
        offered = payments_in_words(game, city, ways)
        raise Refusal(
            Reason.WRONG_PAYMENT, f"{act.left} to the left and {act.right} to the right do not pay for {what}; {offered}.", city
        )


def refuse_answer(game: Game, phase: Extra, city: int, act: ActValue, card: CardId | None) -> None:
    """Raises Refusal unless `legal` lists this answer."""
    place = phase.cities.index(city)
    if len(phase.cities) == 1 and phase.answers[place] is not None:
        raise Refusal(Reason.NOT_AWAITED, "This answer was final.", city)
    match phase.question:
        case "last-card":
            if act.kind not in PLAYS or card is None:
                raise Refusal(Reason.NOT_OFFERED, "The last card is built, put under a stage or discarded (R40).", city)
            refuse_play(game, city, act, card, known_offer(phase, city))
        case "pick":
            _refuse_pick(game, phase, city, act, card)
        case "lose":
            if act.kind != "lose" or card not in candidates(game, city):
                raise Refusal(Reason.NOT_OFFERED, "Choose one of the buildings asked for (R67).", city)
            _refuse_extras(act, city)


def _refuse_pick(game: Game, phase: Extra, city: int, act: ActValue, card: CardId | None) -> None:
    if act.kind == "decline" and card is None:
        return _refuse_extras(act, city)
    offer = known_offer(phase, city)
    if act.kind != "pick" or card is None or card not in offer:
        raise Refusal(Reason.NOT_OFFERED, "Pick a card that lies in the discard pile, or decline (R41).", city)
    if card not in pickable(game, game.cities[city], offer):
        raise Refusal(Reason.ALREADY_BUILT, f"{begun(game.called(city))} has a {game.box.cards[card].name} already (R19).", city)
    return _refuse_extras(act, city)


def _refuse_extras(act: ActValue, city: int) -> None:
    if act.participate or act.option is not None:
        raise Refusal(Reason.UNKNOWN_OPTION, "This answer takes neither an option nor a token.", city)
    if act.left or act.right:
        raise Refusal(Reason.WRONG_PAYMENT, "This answer costs nothing.", city)
