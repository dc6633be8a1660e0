package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import java.util.List;

/** What an operator installs so that NodeUpgrades are fulfilled: the CRD, a plan, a template, and the namespace of the Jobs. */
public final class NodeUpgradeObjects {
    /** The name of the template and its plan. */
    public static final String NAME = "simulated";

    private static final String JOBS = "flotilla-node-upgrades";

    private NodeUpgradeObjects() {}

    /** Installs them in a management cluster. */
    static void installInManagement(ClusterObjectStore store) {
        String definition = BuiltInResources.NODE_UPGRADES.plural() + "." + BuiltInResources.NODE_UPGRADES.group();
        store.resourceStore(BuiltInResources.NODE_UPGRADES);
        store.put(
                BuiltInResources.CUSTOM_RESOURCE_DEFINITIONS.named(definition),
                ImmutableJson.object(
                        "metadata",
                        ImmutableJson.object("labels", ImmutableJson.object(LabelKeys.NODE_UPGRADE, "v1"))));
        store.put(
                BuiltInResources.UPGRADE_PLANS.named(EmbeddedFleetBuilder.NAMESPACE, NAME),
                ImmutableJson.object(
                        "spec",
                        ImmutableJson.object(
                                "steps",
                                ImmutableJson.list(ImmutableJson.object(
                                        "name",
                                        "upgrade",
                                        "image",
                                        "simulated/upgrade:1",
                                        "command",
                                        List.of("upgrade"),
                                        "retryableExitCodes",
                                        List.of(1),
                                        "permanentExitCodes",
                                        List.of(2))))));
        store.put(
                BuiltInResources.NODE_UPGRADE_TEMPLATES.named(EmbeddedFleetBuilder.NAMESPACE, NAME),
                ImmutableJson.object(
                        "spec",
                        ImmutableJson.object(
                                "template", ImmutableJson.object("spec", ImmutableJson.object("plan", NAME)))));
    }

    /** Installs them in a workload cluster. */
    static void installInWorkload(ClusterObjectStore store) {
        store.put(
                BuiltInResources.NAMESPACES.named(JOBS),
                ImmutableJson.object(
                        "metadata",
                        ImmutableJson.object(
                                "labels", ImmutableJson.object("pod-security.kubernetes.io/enforce", "privileged")),
                        "status",
                        ImmutableJson.object("phase", "Active")));
    }
}
