"""Choosing, changing one's mind, and answering extra questions: what is accepted, and why something is not."""

from __future__ import annotations

from events import facts as f
from events.commands import AnswerExtra, ChooseAction, WithdrawAction, WithdrawExtra
from events.facts import ActValue, CardValue
from events.refusals import Reason, Refusal
from events.rules.building import card_price, next_stage, stage_options, stage_payments, trader
from events.rules.edifice import candidates, project_of, why_not_join
from events.rules.legal import choosable, known_offer, pickable
from events.rules.state import Choosing, Extra, Game, Gathering, Over
from events.rules.story import Story
from events.rules.trade import Payment
from events.rules.turn import resolve_answer
from events.rules.words import cannot_pay, payments_in_words, stage_in_words
from events.sealed import Sealed
from events.vocabulary import CardId

PLAYS = ("build", "stage", "discard")


def choose_action(story: Story, command: ChooseAction) -> None:
    """R7: a choice, or a changed one, sealed until the reveal."""
    game = story.game
    phase = _choosing(game, command.age, command.turn)
    _answers_for(game, command.seat, command.city)
    own = _own_card(game, phase, command.city)
    refuse_play(game, command.city, command.act, command.card, choosable(game, command.city, own))
    number = _number(phase.numbers[command.city], command.number)
    story.tell(
        f.ActionChosen(
            at=story.at,
            by=f"seat:{command.seat}",
            seat=command.seat,
            city=command.city,
            age=game.age,
            turn=game.turn,
            number=number,
            seen=command.seen,
            act=Sealed(readers=(command.seat,), value=command.act),
            card=Sealed(readers=(command.seat,), value=CardValue(card=command.card, signature=command.card_signature)),
        )
    )
    _undo_free_city(story, command)


def _own_card(game: Game, phase: Choosing, city: int) -> CardId | None:
    """R91: the holder chooses for the own city first; that card is no longer the Free City's to have."""
    if city != game.free:
        return None
    own = phase.choices[game.answerer(city)]
    if own is None:
        raise Refusal(Reason.MISSING_CHOICE, "Choose for your own city first, then for the Free City.", city)
    return own.card


def _undo_free_city(story: Story, command: ChooseAction) -> None:
    """A changed own choice takes the Free City's back where it no longer fits (R91, R94)."""
    game = story.game
    phase = game.phase
    assert isinstance(phase, Choosing)
    if game.free is None or command.city == game.free or command.seat != game.holder:
        return
    standing = phase.choices[game.free]
    if standing is None or standing.act is None or standing.card is None:
        return
    try:
        refuse_play(game, game.free, standing.act, standing.card, choosable(game, game.free, command.card))
    except Refusal:
        story.tell(
            f.ActionWithdrawn(
                at=story.at,
                by="game",
                seat=command.seat,
                city=game.free,
                age=game.age,
                turn=game.turn,
                number=phase.numbers[game.free] + 1,
                seen=None,
                why="own-choice",
            )
        )


def withdraw_action(story: Story, command: WithdrawAction) -> None:
    """R7: back into the hand; the holder's own choice takes the Free City's with it."""
    game = story.game
    phase = _choosing(game, command.age, command.turn)
    _answers_for(game, command.seat, command.city)
    if phase.choices[command.city] is None:
        raise Refusal(Reason.NOTHING_TO_WITHDRAW, "There is no choice to take back.", command.city)
    taken_back = f.ActionWithdrawn(
        at=story.at,
        by=f"seat:{command.seat}",
        seat=command.seat,
        city=command.city,
        age=game.age,
        turn=game.turn,
        number=_number(phase.numbers[command.city], command.number),
        seen=command.seen,
        signature=command.signature,
    )
    story.tell(taken_back)
    if game.free is not None and command.city == game.holder and phase.choices[game.free] is not None:
        story.tell(
            f.ActionWithdrawn(
                at=story.at,
                by="game",
                seat=command.seat,
                city=game.free,
                age=game.age,
                turn=game.turn,
                number=phase.numbers[game.free] + 1,
                seen=None,
                why="own-choice",
            )
        )


def answer_extra(story: Story, command: AnswerExtra) -> None:
    """R40, R41, R67: an answer; one that was asked of one seat alone is final and carried out at once."""
    game = story.game
    phase, place = _asked(game, command.seat, command.city, command.age, command.turn)
    refuse_answer(game, phase, command.city, command.act, command.card)
    story.tell(
        f.ExtraChosen(
            at=story.at,
            by=f"seat:{command.seat}",
            seat=command.seat,
            city=command.city,
            question=phase.question,
            age=game.age,
            turn=game.turn,
            number=_number(phase.numbers[place], command.number),
            seen=command.seen,
            act=Sealed(readers=(command.seat,), value=command.act),
            card=Sealed(readers=(command.seat,), value=CardValue(card=command.card, signature=command.card_signature)),
        )
    )
    if phase.question != "lose":
        resolve_answer(story)


def withdraw_extra(story: Story, command: WithdrawExtra) -> None:
    """An answer is taken back while others are awaited."""
    game = story.game
    phase, place = _asked(game, command.seat, command.city, command.age, command.turn)
    if phase.answers[place] is None:
        raise Refusal(Reason.NOTHING_TO_WITHDRAW, "There is no answer to take back.", command.city)
    story.tell(
        f.ExtraWithdrawn(
            at=story.at,
            by=f"seat:{command.seat}",
            seat=command.seat,
            city=command.city,
            question=phase.question,
            age=game.age,
            turn=game.turn,
            number=_number(phase.numbers[place], command.number),
            seen=command.seen,
            signature=command.signature,
        )
    )


# ---- is it awaited? ---------------------------------------------------------------------------------------------------
def _running(game: Game) -> None:
    if isinstance(game.phase, Gathering):
        raise Refusal(Reason.NOT_STARTED, "The game has not started yet.")
    if isinstance(game.phase, Over):
        raise Refusal(Reason.GAME_OVER, "The game is over.")


def _choosing(game: Game, age: int, turn: int) -> Choosing:
    _running(game)
    if (age, turn) != (game.age, game.turn):
        raise Refusal(Reason.STALE_CHOICE, f"Age {age}, turn {turn} is over: the table is at Age {game.age}, turn {game.turn}.")
    if not isinstance(game.phase, Choosing) or all(game.phase.choices):
        raise Refusal(Reason.STALE_CHOICE, f"All have chosen in Age {age}, turn {turn}: nothing can be changed any more.")
    return game.phase


def _answers_for(game: Game, seat: int, city: int) -> None:
    if not 0 <= city < len(game.cities) or game.answerer(city) != seat:
        raise Refusal(Reason.NOT_AWAITED, "This city is not yours to choose for.", city)


def _asked(game: Game, seat: int, city: int, age: int, turn: int) -> tuple[Extra, int]:
    _running(game)
    phase = game.phase
    if (age, turn) != (game.age, game.turn):
        raise Refusal(Reason.STALE_CHOICE, f"Age {age}, turn {turn} is over: the table is at Age {game.age}, turn {game.turn}.")
    if not isinstance(phase, Extra) or city not in phase.cities or phase.seats[phase.cities.index(city)] != seat:
        raise Refusal(Reason.NOT_AWAITED, "No extra choice is awaited of this seat.", city)
    if all(phase.answers):
        raise Refusal(Reason.STALE_CHOICE, "All have answered: nothing can be changed any more.", city)
    return phase, phase.cities.index(city)


def _number(last: int, number: int | None) -> int:
    if number is None:
        return last + 1
    if not last < number <= 1_000_000:
        raise Refusal(Reason.STALE_NUMBER, f"Number {number} is not above {last}, the last one of this question.")
    return number


# ---- is it allowed? ---------------------------------------------------------------------------------------------------
def refuse_play(game: Game, city: int, act: ActValue, card: CardId, cards: tuple[CardId, ...]) -> None:
    """Raises Refusal unless `legal` lists this play: the card, the Free City's duty, the name, the stage, participation,
    the option, money, in that order."""
    if act.kind not in PLAYS:
        raise Refusal(Reason.NOT_OFFERED, f"{act.kind!r} is no answer here: build, stage or discard.", city)
    who = game.called(city)
    if card not in cards:
        raise Refusal(Reason.NOT_IN_HAND, f"{who} does not hold {card!r}.", city)
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
    if cards and stage_payments(game.box, who):
        return True
    return any(game.box.cards[card].name not in who.names and card_price(game.box, who, card).payments for card in cards)


def _refuse_build(game: Game, city: int, act: ActValue, card: CardId) -> None:
    who = trader(game, city)
    facts = game.box.cards[card]
    if facts.name in who.names:
        raise Refusal(Reason.ALREADY_BUILT, f"{game.called(city)} has a {facts.name} already (R19).", city)
    if act.participate:
        raise Refusal(Reason.NOT_OFFERED, "Only a wonder stage can join a project (R62).", city)
    if act.option is not None:
        raise Refusal(Reason.UNKNOWN_OPTION, f"{facts.name} has no option.", city)
    price = card_price(game.box, who, card)
    if not price.payments:
        raise Refusal(Reason.CANNOT_PAY, cannot_pay(game, city, facts.name, facts.cost), city)
    _refuse_payment(game, city, facts.name, price.payments, act)


def _refuse_stage(game: Game, city: int, act: ActValue) -> None:
    stage = next_stage(game.box, game.cities[city])
    if stage is None:
        raise Refusal(Reason.NO_STAGE_LEFT, f"{game.called(city)} has built all stages (R20).", city)
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
    ways = stage_payments(game.box, who, extra)
    if not ways:
        raise Refusal(Reason.CANNOT_PAY, cannot_pay(game, city, stage_in_words(game, city), stage.cost, extra), city)
    _refuse_payment(game, city, stage_in_words(game, city), ways, act)


def _refuse_joining(game: Game, city: int) -> None:
    reason = why_not_join(game, city)
    if reason is None:
        return
    sentence = {
        Reason.EDIFICE_OFF: "This table plays without the Edifice.",
        Reason.ALREADY_PARTICIPATING: f"{game.called(city)} has held this Age's token already (R62).",
        Reason.NO_TOKEN_LEFT: "No token is left on the project (R63).",
    }[reason]
    raise Refusal(reason, sentence, city)


def _refuse_payment(game: Game, city: int, what: str, ways: tuple[Payment, ...], act: ActValue) -> None:
    if (act.left, act.right) not in ways:
        offered = payments_in_words(game, city, ways)
        raise Refusal(
            Reason.WRONG_PAYMENT, f"{act.left} to the left and {act.right} to the right do not pay for {what}: {offered}.", city
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
        raise Refusal(Reason.ALREADY_BUILT, f"{game.called(city)} has a {game.box.cards[card].name} already (R19).", city)
    return _refuse_extras(act, city)


def _refuse_extras(act: ActValue, city: int) -> None:
    if act.participate or act.option is not None:
        raise Refusal(Reason.UNKNOWN_OPTION, "This answer takes neither an option nor a token.", city)
    if act.left or act.right:
        raise Refusal(Reason.WRONG_PAYMENT, "This answer costs nothing.", city)
