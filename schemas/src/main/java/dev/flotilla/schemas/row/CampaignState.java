package dev.flotilla.schemas.row;

/** What a campaign is doing. */
public enum CampaignState {
    RUNNING("running"),
    PAUSED("paused"),
    ABORTED("aborted"),
    /** Every machine has ended. */
    COMPLETED("completed");

    private final String label;

    CampaignState(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** Whether it will never start anything again. */
    public boolean isOver() {
        return this == ABORTED || this == COMPLETED;
    }
}
