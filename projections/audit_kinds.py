"""What can be wrong with a game's log, and what no audit can prove: two closed lists, for whoever says it in another language."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a finding is about; its sentence says it in English."""

    # the bundle
    STRAY_MEMBERS = "stray-members"
    ZIP_FORM = "zip-form"
    CUT_OFF = "cut-off"
    MANIFEST_DIFFERS = "manifest-differs"
    MANIFEST_FORM = "manifest-form"
    OPEN_TOO_EARLY = "open-too-early"
    OTHER_CARDS = "other-cards"
    UNKNOWN_EDITION = "unknown-edition"
    OTHER_HOST_KEY = "other-host-key"

    # the log's bytes
    DAMAGED_EVENT = "damaged-event"
    EVENT_FORM = "event-form"
    LINK_COUNT = "link-count"
    BROKEN_LINK = "broken-link"
    TIME_BACKWARDS = "time-backwards"
    AFTER_THE_END = "after-the-end"

    # seals
    DAMAGED_OPENING = "damaged-opening"
    OPENING_FORM = "opening-form"
    NOTHING_SEALED = "nothing-sealed"
    SEAL_DIFFERS = "seal-differs"
    OTHER_GAME_KEY = "other-game-key"
    OPEN_TO_STRANGERS = "open-to-strangers"
    CLOSED_TO_READER = "closed-to-reader"
    OPENINGS_DIFFER = "openings-differ"
    IMPOSSIBLE_VALUE = "impossible-value"
    VALUE_FORM = "value-form"

    # what the host signed
    HEADS_WITHOUT_KEY = "heads-without-key"
    DAMAGED_HEAD = "damaged-head"
    HEAD_FORM = "head-form"
    HEADS_DIFFER = "heads-differ"
    HEAD_OF_ANOTHER_LOG = "head-of-another-log"
    HEAD_SIGNATURE = "head-signature"
    RECEIPT_OF_ANOTHER_GAME = "receipt-of-another-game"
    RECEIPT_SIGNATURE = "receipt-signature"
    RECEIPT_BEYOND_THE_END = "receipt-beyond-the-end"
    RECEIPT_OF_ANOTHER_LOG = "receipt-of-another-log"

    # moves
    SIGNED_WITHOUT_KEY = "signed-without-key"
    SAW_ANOTHER_LOG = "saw-another-log"
    UNSIGNED_MOVE = "unsigned-move"
    MOVE_SIGNATURE = "move-signature"

    # the rules and the deal
    NO_GAME = "no-game"
    NOT_ALLOWED = "not-allowed"
    NOT_ASKED_FOR = "not-asked-for"
    NOT_DUE = "not-due"
    STEP_CUT_OFF = "step-cut-off"
    RULES_DIFFER = "rules-differ"


class Unproved(StrEnum):
    """What the audit cannot know."""

    HOST_LOOKED = "host-looked"
    HOST_CLOCK = "host-clock"
    UNSIGNED_SEATS = "unsigned-seats"
    MOVES_BY_HOST = "moves-by-host"
    UNSIGNED_WISHES = "unsigned-wishes"
    OUTAGE = "outage"
    BOT_PROGRAMS = "bot-programs"
    UNOPENED = "unopened"
    NOTHING_SIGNED = "nothing-signed"
    NO_RECEIPT = "no-receipt"
    NO_EDITION = "no-edition"
    NOT_DECIDED_AGAIN = "not-decided-again"
