package dev.flotilla.campaigncontroller.object;

import dev.flotilla.kube.KubeApiPath;

/** The kinds of objects. Their manifests are those that {@code flotilla campaign apply} and {@code flotilla policy apply} take. */
public enum HubKind {
    POLICY("Policy", "policies"),
    CAMPAIGN("Campaign", "campaigns"),
    ORDER("Order", "orders");

    /** The API version of all kinds. */
    public static final String VERSION = "flotilla.dev/v1";

    private final String kind;
    private final String plural;

    HubKind(String kind, String plural) {
        this.kind = kind;
        this.plural = plural;
    }

    public String kind() {
        return kind;
    }

    public String plural() {
        return plural;
    }

    /** Returns the path of all objects of this kind in a namespace. */
    public String listPath(String namespace) {
        return KubeApiPath.groupObject(VERSION, namespace, plural);
    }

    /** Returns the path of one object. */
    public String path(String namespace, String name) {
        return KubeApiPath.groupObject(VERSION, namespace, plural, name);
    }
}
