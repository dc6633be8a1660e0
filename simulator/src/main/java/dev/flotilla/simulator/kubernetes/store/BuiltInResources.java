package dev.flotilla.simulator.kubernetes.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resources that every cluster serves from the start. Other resources are served once their first object exists.
 */
public final class BuiltInResources {
    private static final String CAPI = "cluster.x-k8s.io";

    public static final ApiResource NAMESPACES = ApiResource.core("namespaces", "Namespace", false);
    public static final ApiResource NODES = ApiResource.core("nodes", "Node", false);
    public static final ApiResource PODS = ApiResource.core("pods", "Pod", true);
    public static final ApiResource SECRETS = ApiResource.core("secrets", "Secret", true);
    public static final ApiResource CONFIG_MAPS = ApiResource.core("configmaps", "ConfigMap", true);
    public static final ApiResource EVENTS = ApiResource.core("events", "Event", true);
    public static final ApiResource DAEMON_SETS = new ApiResource("apps", "v1", "daemonsets", "DaemonSet", true);
    public static final ApiResource DEPLOYMENTS = new ApiResource("apps", "v1", "deployments", "Deployment", true);
    public static final ApiResource LEASES = new ApiResource("coordination.k8s.io", "v1", "leases", "Lease", true);
    public static final ApiResource ENDPOINT_SLICES =
            new ApiResource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
    public static final ApiResource DISRUPTION_BUDGETS =
            new ApiResource("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
    public static final ApiResource CLUSTERS = new ApiResource(CAPI, "v1beta2", "clusters", "Cluster", true);
    public static final ApiResource MACHINES = new ApiResource(CAPI, "v1beta2", "machines", "Machine", true);
    public static final ApiResource MACHINE_SETS = new ApiResource(CAPI, "v1beta2", "machinesets", "MachineSet", true);
    public static final ApiResource MACHINE_DEPLOYMENTS =
            new ApiResource(CAPI, "v1beta2", "machinedeployments", "MachineDeployment", true);
    public static final ApiResource CONTROL_PLANES =
            new ApiResource("controlplane.cluster.x-k8s.io", "v1beta2", "ck8scontrolplanes", "CK8sControlPlane", true);
    public static final ApiResource UPGRADE_TASKS =
            new ApiResource("flotilla.dev", "v1alpha1", "upgradetasks", "UpgradeTask", true);

    /** Served in clusters whose machines are upgraded by NodeUpgrades. */
    public static final ApiResource NODE_UPGRADES =
            new ApiResource("flotilla.dev", "v1alpha1", "nodeupgrades", "NodeUpgrade", true);

    public static final ApiResource NODE_UPGRADE_TEMPLATES =
            new ApiResource("flotilla.dev", "v1alpha1", "nodeupgradetemplates", "NodeUpgradeTemplate", true);
    public static final ApiResource UPGRADE_PLANS =
            new ApiResource("flotilla.dev", "v1alpha1", "upgradeplans", "UpgradePlan", true);
    public static final ApiResource CUSTOM_RESOURCE_DEFINITIONS = new ApiResource(
            "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false);
    public static final ApiResource JOBS = new ApiResource("batch", "v1", "jobs", "Job", true);

    static final List<ApiResource> ALL = List.of(
            NAMESPACES,
            NODES,
            PODS,
            SECRETS,
            CONFIG_MAPS,
            EVENTS,
            DAEMON_SETS,
            DEPLOYMENTS,
            LEASES,
            ENDPOINT_SLICES,
            DISRUPTION_BUDGETS,
            CLUSTERS,
            MACHINES,
            MACHINE_SETS,
            MACHINE_DEPLOYMENTS,
            CONTROL_PLANES,
            UPGRADE_TASKS);

    private BuiltInResources() {}

    /** Finds a resource by its parts in paths; null if it is not in the list. */
    static @Nullable ApiResource find(Iterable<ApiResource> among, String group, String version, String plural) {
        for (ApiResource resource : among) {
            if (resource.plural().equals(plural)
                    && resource.group().equals(group)
                    && resource.version().equals(version)) {
                return resource;
            }
        }
        return null;
    }
}
