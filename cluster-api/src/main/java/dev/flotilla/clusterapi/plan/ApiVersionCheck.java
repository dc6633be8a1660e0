package dev.flotilla.clusterapi.plan;

import dev.flotilla.kube.ExtensionRegistration;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.OwnerRolloutSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks the API versions of objects that a plan compares. Between two versions fields have other names and forms, which looks like a
 * change of the machines.
 */
final class ApiVersionCheck {
    /** The version in which Cluster API itself compares its own kinds. */
    private static final String PLANNED = "v1beta2";

    private static final String CORE = "cluster.x-k8s.io";
    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io";
    private static final Map<String, String> GROUP_OF_OWN = Map.of(
            ChangedObjects.CLUSTER,
            CORE,
            "Machine",
            CORE,
            "MachineSet",
            CORE,
            ChangedObjects.DEPLOYMENT,
            CORE,
            OwnerRolloutSettings.KUBEADM_CONTROL_PLANE,
            "controlplane.cluster.x-k8s.io",
            "KubeadmConfig",
            BOOTSTRAP,
            "KubeadmConfigTemplate",
            BOOTSTRAP);

    private static final String TEMPLATE = "Template";
    private static final int MAX_NAMED = 3;

    private ApiVersionCheck() {}

    /** Returns what cannot be compared, and what to do; empty if all can. */
    static List<String> findProblems(Collection<KubeObject> present, Collection<KubeObject> changes) {
        List<String> problems = new ArrayList<>();
        SortedMap<String, SortedMap<String, List<KubeObject>>> ofProviders = new TreeMap<>();
        SortedMap<String, List<KubeObject>> outdated = new TreeMap<>();
        for (KubeObject object :
                Stream.concat(present.stream(), changes.stream()).toList()) {
            String kind = ClusterObjects.kindOf(object);
            String group = groupOf(object);
            if (group.equals(GROUP_OF_OWN.get(kind))) {
                if (!versionOf(object).equals(PLANNED)) {
                    outdated.computeIfAbsent(kind + " " + versionOf(object), absent -> new ArrayList<>())
                            .add(object);
                }
            } else if (isCompared(group, kind)) {
                ofProviders
                        .computeIfAbsent(withoutTemplate(kind) + "." + group, absent -> new TreeMap<>())
                        .computeIfAbsent(versionOf(object), absent -> new ArrayList<>())
                        .add(object);
            }
        }
        outdated.values().forEach(objects -> problems.add(describeOutdated(objects)));
        ofProviders.values().stream()
                .filter(byVersion -> byVersion.size() > 1)
                .forEach(byVersion -> problems.add(describeMixed(byVersion)));
        return problems;
    }

    private static boolean isCompared(String group, String kind) {
        return !group.equals(ExtensionRegistration.GROUP)
                && (ChangedObjects.isControlPlane(kind)
                        || withoutTemplate(kind).endsWith("Config")
                        || withoutTemplate(kind).endsWith("Machine"));
    }

    private static String describeOutdated(List<KubeObject> objects) {
        String kind = ClusterObjects.kindOf(objects.getFirst());
        return name(objects) + (objects.size() == 1 ? " is in " : " are in ")
                + objects.getFirst().text("apiVersion") + ": give it in " + PLANNED
                + ", which Cluster API 1.12 and newer serve (kubectl get " + kind.toLowerCase(Locale.ROOT) + "s."
                + PLANNED + "." + groupOf(objects.getFirst()) + " -o yaml)";
    }

    private static String describeMixed(SortedMap<String, List<KubeObject>> byVersion) {
        return byVersion.values().stream()
                        .map(objects ->
                                name(objects) + " in " + objects.getFirst().text("apiVersion"))
                        .collect(Collectors.joining(" and "))
                + " cannot be compared: use one version for all of them, also in the change";
    }

    private static String name(List<KubeObject> objects) {
        return objects.stream()
                        .map(object -> ClusterObjects.kindOf(object) + " "
                                + (object.namespace().isEmpty() ? "" : object.namespace() + "/") + object.name())
                        .distinct()
                        .limit(MAX_NAMED)
                        .collect(Collectors.joining(", "))
                + (objects.size() > MAX_NAMED ? " and " + (objects.size() - MAX_NAMED) + " more" : "");
    }

    private static String withoutTemplate(String kind) {
        return kind.endsWith(TEMPLATE) ? kind.substring(0, kind.length() - TEMPLATE.length()) : kind;
    }

    private static String groupOf(KubeObject object) {
        String version = String.valueOf(object.text("apiVersion"));
        return version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    }

    private static String versionOf(KubeObject object) {
        String version = String.valueOf(object.text("apiVersion"));
        return version.substring(version.indexOf('/') + 1);
    }
}
