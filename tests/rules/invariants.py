"""What must hold at every moment of every game, whatever is played."""

from __future__ import annotations

from collections import Counter

from events import facts as f
from events.facts import AnyEvent
from events.rules import Game, due, evolve, legal
from events.rules.clock import awaited
from events.rules.state import Choosing, Extra, Over
from events.vocabulary import CATEGORIES, left_of, right_of
from tests.rules.driver import Step, own_card


class Watch:
    """Follows one game and says where a promise is broken."""

    def __init__(self) -> None:
        self.coins = 0
        self.cards: Counter[str] = Counter()
        self.evaluated: list[int] = []
        self.staged: set[int] = set()
        self.penalised: dict[int, Counter[int]] = {}
        self.failed: dict[int, tuple[int, ...]] = {}

    def step(self, step: Step) -> Game:
        """All events of one command.  Returns the game as this watch folded it."""
        game = step.before
        for event in step.events:
            after = evolve(game, event)
            self.event(game, event, after)
            game = after
        assert game == step.after
        self.at_rest(game)
        return game

    def event(self, before: Game, event: AnyEvent, after: Game) -> None:
        assert after.version == before.version + 1
        assert after.at >= before.at
        self._coins(event, after)
        self._cards(event, after)
        self._stages(before, after)
        self._edifice(before, event, after)
        if isinstance(event, f.ConflictsResolved):
            _conflicts(after, event)
        if isinstance(event, f.GameScored):
            _sheets(after, event)

    # -- coins and cards ------------------------------------------------------------------------------------------
    def _coins(self, event: AnyEvent, after: Game) -> None:
        """The bank and the cities together never gain or lose a coin, and nobody owes one."""
        match event:
            case f.GameStarted(coins=coins):
                self.coins = coins * len(event.boards)
            case f.CoinsReceived(amount=amount):
                assert amount > 0
                self.coins += amount
            case f.CoinsPaid(amount=amount, to=to):
                assert amount > 0
                self.coins -= amount if to is None else 0
            case f.PenaltySuffered(kind="coins", coins=coins):
                self.coins -= coins
        assert sum(city.coins for city in after.cities) == self.coins
        assert all(city.coins >= 0 for city in after.cities)

    def _cards(self, event: AnyEvent, after: Game) -> None:
        """Every card dealt is in one place; no city has a name twice (R19); hands lie in catalogue order but for a drawn card."""
        if isinstance(event, f.AgeDealt):
            for hand in event.hands:
                self.cards.update(hand.value)  # type: ignore[arg-type]
            if event.pile is not None:
                self.cards.update(event.pile.value)  # type: ignore[arg-type]
        lying: Counter[str | None] = Counter(after.discard)
        lying.update(after.pile)
        if after.has_drawn:
            lying[after.drawn] += 1
        for city in after.cities:
            lying.update((*city.hand, *city.built, *city.under))
            if after.free is None or isinstance(after.phase, Choosing):
                assert city.hand == after.box.sorted(city.hand)  # type: ignore[arg-type]
            names = [after.box.cards[card].name for card in city.built]
            assert len(set(names)) == len(names)
        assert lying == self.cards

    def _stages(self, before: Game, after: Game) -> None:
        """R20: in order, each once, never more than the board has."""
        for was, now in zip(before.cities, after.cities, strict=False):
            assert now.stages - was.stages in (0, 1)
            assert now.options[: was.stages] == was.options
            assert now.stages <= len(after.box.faces[now.wonder, now.side].stages)
            assert len(now.under) == now.stages

    # -- the Edifice ----------------------------------------------------------------------------------------------
    def _edifice(self, before: Game, event: AnyEvent, after: Game) -> None:
        if not after.edifice:
            assert not any(city.participates or city.debts or city.rewards for city in after.cities)
            return
        start = after.box.tokens[after.rules.edifice_tokens][len(after.cities)]
        assert all(0 <= project.tokens <= start for project in after.edifice)
        for city in after.cities:
            assert len(set(city.participates)) == len(city.participates)
            assert len(set(city.rewards)) == len(city.rewards)
        match event:
            case f.StageBuilt(city=city):
                self.staged.add(city)
            case f.ParticipationTaken(city=city):
                assert city in self.staged, "a token without a stage in that turn"
            case f.HandsPassed() | f.AgeDealt():
                self.staged = set()
            case f.EdificeFailed():
                self.failed[event.age] = event.penalised
                self.penalised[event.age] = Counter()
                assert event.holders == tuple(i for i, c in enumerate(before.cities) if event.age in c.participates)
                assert sorted((*event.holders, *event.penalised)) == list(range(len(before.cities)))
            case f.PenaltySuffered(city=city):
                self.penalised[before.age][city] += 1
                _whole_or_debt(before, event, after)
            case f.EdificeEvaluated():
                self._evaluated(event, after)

    def _evaluated(self, event: f.EdificeEvaluated, after: Game) -> None:
        assert event.age == after.age
        assert event.age not in self.evaluated, "evaluated twice"
        self.evaluated.append(event.age)
        state = after.edifice[event.age - 1].state
        project = event.project
        assert state in ("completed", "failed")
        if state == "failed":
            assert dict(self.penalised[event.age]) == dict.fromkeys(self.failed[event.age], 1)
            assert not any(project in city.rewards for city in after.cities)
        else:
            assert event.age not in self.failed
            assert all((project in city.rewards) == (event.age in city.participates) for city in after.cities)

    # -- between commands -----------------------------------------------------------------------------------------
    def at_rest(self, game: Game) -> None:
        """Hands are equal, and an unfinished game has a legal play or something due."""
        if isinstance(game.phase, Choosing):
            sizes = [len(city.hand) for seat, city in enumerate(game.cities) if seat != game.free]
            assert set(sizes) == {8 - game.turn}
            if game.free is not None:
                assert game.cities[game.free].hand == ()
                assert len(game.pile) + game.has_drawn == 8 - game.turn
        if isinstance(game.phase, Choosing | Extra):
            for _, city in awaited(game):
                if city != game.free or own_card(game, city) or isinstance(game.phase, Extra):
                    assert legal(game, city, own_card(game, city)), "nothing can be played"
        if game.version and not (isinstance(game.phase, Over) and game.phase.reason):
            assert due(game, game.at) is not None or awaited(game) or not game.cities

    def finished(self, game: Game) -> None:
        """After the last event: three Ages, three evaluations, eighteen plays a seat in three hands."""
        assert isinstance(game.phase, Over)
        assert game.phase.reason == "finished"
        assert (game.age, game.turn) == (3, 6)
        assert self.evaluated == ([1, 2, 3] if game.edifice else [])
        assert not any(city.hand for city in game.cities)
        assert not game.pile


def _whole_or_debt(before: Game, event: f.PenaltySuffered, after: Game) -> None:
    """R66: suffered whole, or one Debt token, never both and never neither; who can, must."""
    was, now = before.cities[event.city], after.cities[event.city]
    penalty = before.box.projects[event.project].penalty
    kind = type(penalty).__name__
    named = getattr(penalty, "type", None)
    can = {
        "LoseCoins": was.coins >= getattr(penalty, "amount", 0),
        "DiscardBuilding": any(before.box.cards[card].type == named for card in was.built),
        "LoseVictoryTokens": sum(token > 0 for token in was.tokens) >= getattr(penalty, "amount", 0),
    }[kind]
    assert (event.kind == "debt") == (not can)
    built, tokens, debts = len(was.built) - len(now.built), len(was.tokens) - len(now.tokens), len(now.debts) - len(was.debts)
    lost = (was.coins - now.coins, built, tokens, debts)
    amount = getattr(penalty, "amount", 1)
    whole = {"LoseCoins": (amount, 0, 0, 0), "DiscardBuilding": (0, 1, 0, 0), "LoseVictoryTokens": (0, 0, amount, 0)}[kind]
    assert lost == (whole if can else (0, 0, 0, 1))


def _conflicts(after: Game, event: f.ConflictsResolved) -> None:
    """R50: what one side of a border wins the other loses, and nobody is left out."""
    n = len(after.cities)
    results = {result.city: result for result in event.cities}
    assert sorted(results) == list(range(n))
    for city, result in results.items():
        other = results[left_of(city, n)].right
        assert (result.left.neighbour, other.neighbour) == (left_of(city, n), city)
        assert result.right.neighbour == right_of(city, n)
        shields = result.shields, results[left_of(city, n)].shields
        assert (result.left.own, result.left.theirs) == (other.theirs, other.own) == shields
        signs = sorted([(result.left.token > 0) - (result.left.token < 0), (other.token > 0) - (other.token < 0)])
        assert signs in ([-1, 1], [0, 0])
        assert {result.left.token, other.token} in ({(1, 3, 5)[event.age - 1], -1}, {0})


def _sheets(after: Game, event: f.GameScored) -> None:
    """R80, R81: every line adds up to its row, every row to the sum, and the places follow."""
    for place, sheet in enumerate(event.sheets):
        assert sheet.city == place
        assert sheet.coins == after.cities[place].coins
        assert tuple(sheet.rows) == tuple(sheet.points) == CATEGORIES
        assert {row: sum(line.points for line in lines) for row, lines in sheet.rows.items()} == sheet.points
        assert sum(sheet.points.values()) == sheet.total
        assert sheet.points["military"] == sum(after.cities[place].tokens)
    rank = [(event.sheets[seats[0]].total, event.sheets[seats[0]].coins) for seats in event.places]
    assert rank == sorted(set(rank), reverse=True)
    ranked = [seat for seats in event.places for seat in seats]
    assert sorted(ranked) == [seat for seat in range(len(after.cities)) if seat != after.free]
    for seats, key in zip(event.places, rank, strict=True):
        assert all((event.sheets[seat].total, event.sheets[seat].coins) == key for seat in seats)
