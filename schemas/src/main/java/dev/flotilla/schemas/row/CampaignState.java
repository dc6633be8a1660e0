package dev.flotilla.schemas.row;

/** The state of a campaign. */
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

    /** Whether the campaign will never start a machine again. */
    public boolean isOver() {
        return this == ABORTED || this == COMPLETED;
    }
}
