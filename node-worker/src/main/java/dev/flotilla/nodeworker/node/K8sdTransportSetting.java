package dev.flotilla.nodeworker.node;

/** How the k8sd of a site's nodes is reached. A certificate is seen first through the proxy, whichever it is. */
public enum K8sdTransportSetting {
    /** Directly where a node's address answers, else through the proxy. */
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
