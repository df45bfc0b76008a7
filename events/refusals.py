"""Why the table says no: every refusal has a reason that a program can read and a sentence that a person can."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """The closed list of reasons; the first block is the position document's."""

    BAD_POSITION = "bad-position"
    NOT_IN_HAND = "not-in-hand"
    ALREADY_BUILT = "already-built"
    CANNOT_PAY = "cannot-pay"
    WRONG_PAYMENT = "wrong-payment"
    NO_STAGE_LEFT = "no-stage-left"
    EDIFICE_OFF = "edifice-off"
    ALREADY_PARTICIPATING = "already-participating"
    NO_TOKEN_LEFT = "no-token-left"
    OPTION_NEEDED = "option-needed"
    UNKNOWN_OPTION = "unknown-option"
    MISSING_CHOICE = "missing-choice"
    NOT_AWAITED = "not-awaited"
    FREE_CITY_MUST_BUILD = "free-city-must-build"
    NOT_OFFERED = "not-offered"

    BAD_OPTIONS = "bad-options"
    UNKNOWN_SEAT = "unknown-seat"
    SEAT_TAKEN = "seat-taken"
    TABLE_FULL = "table-full"
    NAME_TAKEN = "name-taken"
    WONDER_TAKEN = "wonder-taken"
    UNKNOWN_WONDER = "unknown-wonder"
    ALREADY_STARTED = "already-started"
    NOT_STARTED = "not-started"
    NOT_READY = "not-ready"
    ALREADY_READY = "already-ready"
    WRONG_ENTROPY = "wrong-entropy"
    STALE_CHOICE = "stale-choice"
    STALE_NUMBER = "stale-number"
    NOTHING_TO_WITHDRAW = "nothing-to-withdraw"
    NOT_ALLOWED = "not-allowed"
    NOTHING_DUE = "nothing-due"
    GAME_OVER = "game-over"
    SIGNATURE_NEEDED = "signature-needed"
    BAD_SIGNATURE = "bad-signature"
    WRONG_SEEN = "wrong-seen"


class Refusal(Exception):
    """A command that the rules do not allow: nothing has changed.  `city` is the seat whose play is at fault, if any."""

    def __init__(self, reason: Reason, message: str, city: int | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.city = city
