package dev.flotilla.clusterapi.registration;

import dev.flotilla.kube.ExtensionRegistration;
import dev.flotilla.kube.KubeLabelMatcher;
import dev.flotilla.kube.KubeObject;
import java.util.Set;

/** An ExtensionConfig, as Cluster API reads it. */
record RegisteredExtension(KubeObject config) {
    private static final Set<String> HOOKS = Set.of("CanUpdateMachine", "CanUpdateMachineSet", "UpdateMachine");

    String name() {
        return config.name();
    }

    boolean isOurs() {
        return ExtensionRegistration.isOurs(config);
    }

    /** Whether it serves hooks for in-place updates. Those of another extension are known when Cluster API has asked it. */
    boolean servesInPlaceUpdates() {
        return isOurs()
                || config.list("status", "handlers").stream().anyMatch(handler -> {
                    String hook = handler.text("requestHook", "hook");
                    return hook != null && HOOKS.contains(hook);
                });
    }

    /** Whether Cluster API calls it for objects of a namespace. Without a selector it does for every one. */
    boolean matches(KubeObject namespace) {
        return new KubeLabelMatcher(config.object("spec", "namespaceSelector")).matches(namespace.labels());
    }
}
