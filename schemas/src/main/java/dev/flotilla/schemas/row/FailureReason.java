package dev.flotilla.schemas.row;

/** Why an attempt failed. The labels are the same in rows, metrics, events and the API. */
public enum FailureReason {
    REFRESH_ERROR("refresh-error"),
    REFRESH_REJECTED("refresh-rejected"),
    NODE_UPGRADE_FAILED("node-upgrade-failed"),
    NOT_AT_TARGET("not-at-target"),
    NODE_NOT_READY("node-not-ready"),
    UNREACHABLE("unreachable"),
    NODE_BUSY("node-busy"),
    CREDENTIALS("credentials"),
    CHANGE_LOST("change-lost"),
    CHECK_FAILED("check-failed"),
    DEADLINE("deadline"),
    NO_REPORT("no-report"),
    WRITTEN_OFF("written-off");

    private final String label;

    FailureReason(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
