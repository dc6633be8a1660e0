package dev.flotilla.schemas.row;

/** Who acts on the provider's key for an upgrade in a site, and so where people's wishes are read and what the key means. */
public enum SiteMode {
    /** The provider's controllers would: the key is kept from them, under another name. */
    INTERCEPT("intercept"),
    /** There are no such controllers: the provider's keys are how people ask us. */
    DIRECT("direct"),
    /** The provider's controllers do: people ask us on Clusters, which those ignore, and by a key of our own. */
    CLUSTER_ONLY("cluster-only");

    private final String label;

    SiteMode(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
