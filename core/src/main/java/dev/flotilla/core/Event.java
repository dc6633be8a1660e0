package dev.flotilla.core;

/** What happened in a decision. The labels are the same in the journal, logs, metrics and the page. */
public enum Event {
    NOTHING("nothing"),
    TOOK_OVER("took-over"),
    INVENTORY_CHANGED("inventory-changed"),
    OUT_OF_BAND("out-of-band"),
    INTENT_CHANGED("intent-changed"),
    SITE_CHANGED("site-changed"),
    CLOCK_CHANGED("clock-changed"),
    POLICY_ACCEPTED("policy-accepted"),
    POLICY_REMOVED("policy-removed"),
    ZONE_READ("zone-read"),
    CAMPAIGN_ACCEPTED("campaign-accepted"),
    CAMPAIGN_REMOVED("campaign-removed"),
    CAMPAIGN_PAUSED("campaign-paused"),
    CAMPAIGN_RESUMED("campaign-resumed"),
    CAMPAIGN_ABORTED("campaign-aborted"),
    CAMPAIGN_COMPLETED("campaign-completed"),
    CAMPAIGN_FORGOTTEN("campaign-forgotten"),
    ORDER_APPLIED("order-applied"),
    WAVE_SETTLED("wave-settled"),
    WAVE_OPENED("wave-opened"),
    WAVE_CLOSED("wave-closed"),
    REJECTED("rejected"),
    ATTEMPT_ADMITTED("attempt-admitted"),
    ATTEMPT_RENEWED("attempt-renewed"),
    ATTEMPT_STEPPED("attempt-stepped"),
    ATTEMPT_SUCCEEDED("attempt-succeeded"),
    ATTEMPT_FAILED("attempt-failed"),
    ATTEMPT_CANCELLING("attempt-cancelling"),
    ATTEMPT_CANCELLED("attempt-cancelled"),
    ATTEMPT_EXPIRED("attempt-expired"),
    ATTEMPT_NOT_NOW("attempt-not-now"),
    ATTEMPT_UNKNOWN("attempt-unknown"),
    ATTEMPT_VANISHED("attempt-vanished"),
    MACHINE_QUARANTINED("machine-quarantined"),
    MACHINE_SKIPPED("machine-skipped"),
    MACHINE_RETRIED("machine-retried"),
    OBJECT_PROGRESSED("object-progressed"),
    SITE_TOLD("site-told"),
    CHAPTER_BEGUN("chapter-begun"),
    CHECKPOINTED("checkpointed"),
    CHAPTER_COMPLETED("chapter-completed");

    private final String label;

    Event(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
