package dev.flotilla.cli.site;

import java.util.List;

/** Service account of a component in a management cluster. */
public record ServiceAccount(String namespace, String name) {
    /** The account in the manifests of {@code deploy/}. */
    public static final ServiceAccount WATCHER = new ServiceAccount("flotilla", "flotilla-management-watcher");

    /** The account in the manifests of {@code deploy/}. */
    public static final ServiceAccount WORKER = new ServiceAccount("flotilla", "flotilla-node-worker");

    /** User name of the account at the API server. */
    public String user() {
        return "system:serviceaccount:" + namespace + ":" + name;
    }

    /** Groups of which the API server makes every service account a member. */
    public List<String> groups() {
        return List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated");
    }
}
