package dev.flotilla.cli.site;

import dev.flotilla.schemas.id.ClusterKey;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Role manifests of node-workers, made from those in deploy/node-worker by replacing the example namespace and cluster.
 */
public final class WorkerRoleManifests {
    private static final String NAMESPACE = "namespace: fleet\n";
    private static final String ALL = "[blue-kubeconfig, blue-token, blue-flotilla-pins]";
    private static final String PINS = "[blue-flotilla-pins]";
    private static final String CLUSTER = "blue";
    private static final String CONFIG_MAP = "kind: ConfigMap\n";
    private static final String CLUSTER_ROLE = "\nkind: ClusterRole\n";
    private static final String NEXT = "---\n";
    private static final String ACCOUNT = "    name: flotilla-node-worker\n    namespace: flotilla\n";

    private WorkerRoleManifests() {}

    /**
     * Makes the manifests for the management cluster: a role for each namespace, with the Secrets of its clusters by
     * name, for each cluster the ConfigMap of its pins, and the roles that are no namespace's.
     *
     * @param account service account that the roles are bound to
     */
    public static String management(Collection<ClusterKey> clusters, ServiceAccount account) {
        String template = DeployedManifest.text("node-worker/rbac-management.yaml");
        int configMap = startOfDocument(template, CONFIG_MAP);
        int clusterRoles = startOfDocument(template, CLUSTER_ROLE);
        String roles = template.substring(0, configMap - NEXT.length());
        String pins = template.substring(configMap, clusterRoles - NEXT.length());
        String boundAccount = "    name: " + account.name() + "\n    namespace: " + account.namespace() + "\n";
        SortedMap<String, List<String>> byNamespace = clusters.stream()
                .collect(Collectors.groupingBy(
                        ClusterKey::namespace,
                        TreeMap::new,
                        Collectors.mapping(
                                ClusterKey::name,
                                Collectors.collectingAndThen(
                                        Collectors.toList(),
                                        names -> names.stream().sorted().toList()))));
        return byNamespace.entrySet().stream()
                        .map(each -> roles.replace(ACCOUNT, boundAccount)
                                        .replace(NAMESPACE, "namespace: " + each.getKey() + "\n")
                                        .replace(
                                                ALL,
                                                secrets(
                                                        each.getValue(),
                                                        name -> List.of(
                                                                name + "-kubeconfig",
                                                                name + "-token",
                                                                name + "-flotilla-pins")))
                                        .replace(
                                                PINS,
                                                secrets(each.getValue(), name -> List.of(name + "-flotilla-pins")))
                                + each.getValue().stream()
                                        .map(name -> NEXT
                                                + pins.replace(NAMESPACE, "namespace: " + each.getKey() + "\n")
                                                        .replace(CLUSTER, name))
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining(NEXT, "", NEXT))
                + template.substring(clusterRoles).replace(ACCOUNT, boundAccount);
    }

    /** Returns the index at which the first document of a kind starts. */
    private static int startOfDocument(String template, String kind) {
        return template.lastIndexOf(NEXT, template.indexOf(kind)) + NEXT.length();
    }

    private static String secrets(List<String> clusters, Function<String, List<String>> of) {
        return clusters.stream()
                .map(of)
                .flatMap(List::stream)
                .collect(Collectors.joining("\n      - ", "\n      - ", ""));
    }

    /**
     * Manifest for a workload cluster, the same for all.
     *
     * @param nodeUpgrader with what the node-upgrader needs there
     */
    public static String workload(boolean nodeUpgrader) {
        String worker = DeployedManifest.text("node-worker/rbac-workload.yaml");
        return nodeUpgrader ? worker + NEXT + DeployedManifest.text("node-upgrader/rbac-workload.yaml") : worker;
    }
}
