package dev.flotilla.core.gate;

/** The gates in their fixed order. The labels are the same in status, metrics, API and explanations. */
public enum GateLabel {
    NO_POLICY("no-policy"),
    REJECTED_INPUT("rejected-input"),
    FREEZE("freeze"),
    CLOCK("clock"),
    SITE_SILENT("site-silent"),
    SITE_UNREACHABLE("site-unreachable"),
    MASS_REMOVAL("mass-removal"),
    CAMPAIGN("campaign"),
    WINDOW("window"),
    WAVE("wave"),
    CLAIMED("claimed"),
    FLEET_CAP("cap-fleet"),
    SITE_CAP("cap-site"),
    DOMAIN_CAP("cap-domain"),
    CAMPAIGN_CAP("cap-campaign"),
    CLUSTER_CAP("cap-cluster"),
    BUDGET("budget"),
    COHORT("cohort"),
    CLUSTER_ORDER("cluster-order"),
    CLUSTER_HEALTH("cluster-health"),
    MACHINE("machine"),
    BACKOFF("backoff");

    private final String label;

    GateLabel(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
