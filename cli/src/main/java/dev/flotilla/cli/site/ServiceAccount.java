package dev.flotilla.cli.site;

import java.util.List;

/** As whom a component runs in a management cluster. */
public record ServiceAccount(String namespace, String name) {
    /** As the manifests of {@code deploy/} have it. */
    public static final ServiceAccount WATCHER = new ServiceAccount("flotilla", "flotilla-management-watcher");

    /** As the manifests of {@code deploy/} have it. */
    public static final ServiceAccount WORKER = new ServiceAccount("flotilla", "flotilla-node-worker");

    /** By which an API server knows it. */
    public String user() {
        return "system:serviceaccount:" + namespace + ":" + name;
    }

    /** What an API server takes each for a member of, beside what a role names. */
    public List<String> groups() {
        return List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated");
    }
}
