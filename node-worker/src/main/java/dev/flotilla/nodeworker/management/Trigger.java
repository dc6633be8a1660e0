package dev.flotilla.nodeworker.management;

/** Who acts on the provider's key for an upgrade in this site, and so what it means on a Machine. */
public enum Trigger {
    /** The provider's controllers would: the key is kept from them, and one that is there all the same is foreign. */
    INTERCEPT("intercept"),
    /** There are no such controllers: the key is how people ask us. */
    DIRECT("direct"),
    /** The provider's controllers do, and people ask us by other keys. */
    CLUSTER_ONLY("cluster-only");

    private final String label;

    Trigger(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
