package dev.flotilla.core.decision;

/** The kind of a decision. Journal, logs, metrics and web page use the same labels. */
public enum DecisionEvent {
    NOTHING("nothing"),
    LEADER_ELECTED("leader-elected"),
    INVENTORY_CHANGED("inventory-changed"),
    OUT_OF_BAND_REFRESH("out-of-band-refresh"),
    INTENT_CHANGED("intent-changed"),
    SITE_CHANGED("site-changed"),
    CLOCK_SYNC_CHANGED("clock-sync-changed"),
    POLICY_ACCEPTED("policy-accepted"),
    POLICY_REMOVED("policy-removed"),
    TIME_ZONE_UPDATED("time-zone-updated"),
    CAMPAIGN_ACCEPTED("campaign-accepted"),
    CAMPAIGN_REMOVED("campaign-removed"),
    CAMPAIGN_PAUSED("campaign-paused"),
    CAMPAIGN_RESUMED("campaign-resumed"),
    CAMPAIGN_ABORTED("campaign-aborted"),
    CAMPAIGN_COMPLETED("campaign-completed"),
    CAMPAIGN_PURGED("campaign-purged"),
    ORDER_APPLIED("order-applied"),
    WAVE_SIZE_FIXED("wave-size-fixed"),
    WAVE_OPENED("wave-opened"),
    WAVE_CLOSED("wave-closed"),
    REJECTED("rejected"),
    ATTEMPT_ADMITTED("attempt-admitted"),
    ATTEMPT_RENEWED("attempt-renewed"),
    ATTEMPT_STEP_REACHED("attempt-step-reached"),
    ATTEMPT_SUCCEEDED("attempt-succeeded"),
    ATTEMPT_FAILED("attempt-failed"),
    ATTEMPT_CANCELLING("attempt-cancelling"),
    ATTEMPT_CANCELLED("attempt-cancelled"),
    ATTEMPT_ABORTED("attempt-aborted"),
    ATTEMPT_LEASE_EXPIRED("attempt-lease-expired"),
    ATTEMPT_DEFERRED("attempt-deferred"),
    ATTEMPT_UNKNOWN("attempt-unknown"),
    ATTEMPT_VANISHED("attempt-vanished"),
    PREPARATION_STARTED("preparation-started"),
    PREPARATION_SUCCEEDED("preparation-succeeded"),
    PREPARATION_FAILED("preparation-failed"),
    CLUSTER_UPGRADE_OPENED("cluster-upgrade-opened"),
    CLUSTER_UPGRADE_CHANGED("cluster-upgrade-changed"),
    CLUSTER_UPGRADE_CLOSED("cluster-upgrade-closed"),
    MACHINE_QUARANTINED("machine-quarantined"),
    MACHINE_SKIPPED("machine-skipped"),
    MACHINE_REQUEUED("machine-requeued"),
    INTENT_STATUS_CHANGED("intent-status-changed"),
    SITE_STATUS_CHANGED("site-status-changed"),
    CHAPTER_STARTED("chapter-started"),
    CHECKPOINT_PART_WRITTEN("checkpoint-part-written"),
    CHAPTER_COMPLETED("chapter-completed");

    private final String label;

    DecisionEvent(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
