package dev.flotilla.schemas.row;

/** Why a record was rejected. */
public enum RejectionReason {
    NOT_JSON("not-json"),
    TOO_LARGE("too-large"),
    TOO_DEEP("too-deep"),
    DUPLICATE_KEY("duplicate-key"),
    UNKNOWN_TYPE("unknown-type"),
    FUTURE_VERSION("future-version"),
    MISSING_FIELD("missing-field"),
    WRONG_TYPE("wrong-type"),
    BAD_VALUE("bad-value"),
    BAD_KEY("bad-key"),
    WRONG_SITE("wrong-site"),
    NOT_SUPPORTED("not-supported"),
    WRONG_CAMPAIGN("wrong-campaign"),
    WRONG_TOPIC("wrong-topic"),
    CONTRADICTION("contradiction"),
    CANNOT_BE_DECIDED("cannot-be-decided");

    private final String label;

    RejectionReason(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
