package dev.flotilla.simulator.kubernetes.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every cluster serves from the start. Others are served from the first object of theirs on. */
public final class Resources {
    private static final String CAPI = "cluster.x-k8s.io";

    public static final Resource NAMESPACES = Resource.core("namespaces", "Namespace", false);
    public static final Resource NODES = Resource.core("nodes", "Node", false);
    public static final Resource PODS = Resource.core("pods", "Pod", true);
    public static final Resource SECRETS = Resource.core("secrets", "Secret", true);
    public static final Resource CONFIG_MAPS = Resource.core("configmaps", "ConfigMap", true);
    public static final Resource EVENTS = Resource.core("events", "Event", true);
    public static final Resource DAEMON_SETS = new Resource("apps", "v1", "daemonsets", "DaemonSet", true);
    public static final Resource DEPLOYMENTS = new Resource("apps", "v1", "deployments", "Deployment", true);
    public static final Resource LEASES = new Resource("coordination.k8s.io", "v1", "leases", "Lease", true);
    public static final Resource ENDPOINT_SLICES =
            new Resource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
    public static final Resource DISRUPTION_BUDGETS =
            new Resource("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
    public static final Resource CLUSTERS = new Resource(CAPI, "v1beta2", "clusters", "Cluster", true);
    public static final Resource MACHINES = new Resource(CAPI, "v1beta2", "machines", "Machine", true);
    public static final Resource MACHINE_SETS = new Resource(CAPI, "v1beta2", "machinesets", "MachineSet", true);
    public static final Resource MACHINE_DEPLOYMENTS =
            new Resource(CAPI, "v1beta2", "machinedeployments", "MachineDeployment", true);
    public static final Resource CONTROL_PLANES =
            new Resource("controlplane.cluster.x-k8s.io", "v1beta2", "ck8scontrolplanes", "CK8sControlPlane", true);

    static final List<Resource> ALL = List.of(
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
            CONTROL_PLANES);

    private Resources() {}

    /** One of a list by how paths name it. */
    static @Nullable Resource find(Iterable<Resource> among, String group, String version, String plural) {
        for (Resource resource : among) {
            if (resource.plural().equals(plural)
                    && resource.group().equals(group)
                    && resource.version().equals(version)) {
                return resource;
            }
        }
        return null;
    }
}
