package dev.flotilla.core.gate;

/** Labels of the gates, in their order. Status, metrics, API and explanations use the same labels. */
public enum GateLabel {
    NO_POLICY("no-policy"),
    REJECTED_INPUT("rejected-input"),
    FREEZE("freeze"),
    CLOCK_SKEW("clock-skew"),
    SITE_SILENT("site-silent"),
    SITE_UNREACHABLE("site-unreachable"),
    MASS_REMOVAL("mass-removal"),
    CAMPAIGN_NOT_RUNNING("campaign-not-running"),
    MAINTENANCE_WINDOW("maintenance-window"),
    WAVE("wave"),
    CLAIMED_BY_OTHER("claimed-by-other"),
    FLEET_CAP("cap-fleet"),
    SITE_CAP("cap-site"),
    DOMAIN_CAP("cap-domain"),
    CAMPAIGN_CAP("cap-campaign"),
    CLUSTER_CAP("cap-cluster"),
    FAILURE_BUDGET("failure-budget"),
    FAILURE_COHORT("failure-cohort"),
    CLUSTER_ORDER("cluster-order"),
    CLUSTER_HEALTH("cluster-health"),
    MACHINE_NOT_ELIGIBLE("machine-not-eligible"),
    BACKOFF("backoff"),
    CLUSTER_API("cluster-api"),
    PREPARATION("preparation"),
    PREFETCH_CAP("cap-prefetch");

    private final String label;

    GateLabel(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
