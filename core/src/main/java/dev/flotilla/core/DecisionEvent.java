package dev.flotilla.core;

/** What happened in a decision. The labels are the same in the journal, logs, metrics and the page. */
public enum DecisionEvent {
    NOTHING("nothing"),
    LEADER_ELECTED("took-over"),
    INVENTORY_CHANGED("inventory-changed"),
    OUT_OF_BAND_REFRESH("out-of-band"),
    INTENT_CHANGED("intent-changed"),
    SITE_CHANGED("site-changed"),
    CLOCK_CHANGED("clock-changed"),
    POLICY_ACCEPTED("policy-accepted"),
    POLICY_REMOVED("policy-removed"),
    TIME_ZONE_UPDATED("zone-read"),
    CAMPAIGN_ACCEPTED("campaign-accepted"),
    CAMPAIGN_REMOVED("campaign-removed"),
    CAMPAIGN_PAUSED("campaign-paused"),
    CAMPAIGN_RESUMED("campaign-resumed"),
    CAMPAIGN_ABORTED("campaign-aborted"),
    CAMPAIGN_COMPLETED("campaign-completed"),
    CAMPAIGN_PURGED("campaign-forgotten"),
    ORDER_APPLIED("order-applied"),
    WAVE_SIZE_FIXED("wave-settled"),
    WAVE_OPENED("wave-opened"),
    WAVE_CLOSED("wave-closed"),
    REJECTED("rejected"),
    ATTEMPT_ADMITTED("attempt-admitted"),
    ATTEMPT_RENEWED("attempt-renewed"),
    ATTEMPT_STEP_REACHED("attempt-stepped"),
    ATTEMPT_SUCCEEDED("attempt-succeeded"),
    ATTEMPT_FAILED("attempt-failed"),
    ATTEMPT_CANCELLING("attempt-cancelling"),
    ATTEMPT_CANCELLED("attempt-cancelled"),
    ATTEMPT_LEASE_EXPIRED("attempt-expired"),
    ATTEMPT_DEFERRED("attempt-not-now"),
    ATTEMPT_UNKNOWN("attempt-unknown"),
    ATTEMPT_VANISHED("attempt-vanished"),
    MACHINE_QUARANTINED("machine-quarantined"),
    MACHINE_SKIPPED("machine-skipped"),
    MACHINE_REQUEUED("machine-retried"),
    INTENT_STATUS_CHANGED("object-progressed"),
    SITE_STATUS_CHANGED("site-told"),
    CHAPTER_STARTED("chapter-begun"),
    CHECKPOINTED("checkpointed"),
    CHAPTER_COMPLETED("chapter-completed");

    private final String label;

    DecisionEvent(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
