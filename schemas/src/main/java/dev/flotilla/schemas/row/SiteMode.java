package dev.flotilla.schemas.row;

/** Who acts on the provider's upgrade annotation in a site, and so which annotations are intents. */
public enum SiteMode {
    /** The provider's controllers would act on it: Flotilla intercepts the annotation and stores it under another key. */
    INTERCEPT("intercept"),
    /** The site has no such controllers: the provider's annotations are intents for Flotilla. */
    DIRECT("direct"),
    /** The provider's controllers act on it: intents are annotations of Clusters, which they ignore, and Flotilla's own key. */
    CLUSTER_ONLY("cluster-only");

    private final String label;

    SiteMode(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
