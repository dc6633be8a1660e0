package dev.flotilla.nodeworker.k8sd;

/** The transport to the k8sd of a site's nodes. A certificate is always read first through the proxy. */
public enum K8sdTransportSetting {
    /** Directly if the node's address responds, else through the proxy. */
    AUTO("auto"),
    /** Through the API server of the node's cluster, by a port-forward to the pod k8sd-proxy. */
    PROXY("proxy"),
    /** At the node's address. */
    DIRECT("direct");

    private final String label;

    K8sdTransportSetting(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
