package dev.flotilla.managementwatcher.rows;

/** Who acts on the provider's key for an upgrade in this site, and so where people's wishes are read. */
public enum Mode {
    /** The provider's controllers would: the key is kept from them, under another name. */
    INTERCEPT("intercept"),
    /** There are no such controllers: the provider's keys are how people ask us. */
    DIRECT("direct"),
    /** The provider's controllers do: people ask us on Clusters, which those ignore. */
    CLUSTER_ONLY("cluster-only");

    private final String label;

    Mode(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
