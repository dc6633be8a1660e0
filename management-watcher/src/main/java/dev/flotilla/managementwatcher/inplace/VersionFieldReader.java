package dev.flotilla.managementwatcher.inplace;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.VersionFieldKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the version fields of the clusters in namespaces that take part in updates in place, while Cluster API calls the extension. */
final class VersionFieldReader {
    private static final String RUNTIME_GROUP = "runtime.cluster.x-k8s.io";
    private static final String NOT_CALLED = "Cluster API has not discovered the extension (see its ExtensionConfig)";
    private static final String EXTENSION = "flotilla-cluster-api-extension";
    private static final String EXTENSION_PREFIX = "flotilla";
    private static final String TAKES_PART =
            "&labelSelector=" + KubeApiPath.encodeQueryValue("flotilla.dev/in-place=enabled");
    private static final int MAX_OBJECTS = 20_000;
    private static final Comparator<ReadVersionField> ORDER = Comparator.comparing(
                    (ReadVersionField read) -> read.field().kind())
            .thenComparing(read -> read.field().name());

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final SiteId site;

    VersionFieldReader(KubeApiClient api, ServedApiVersions versions, SiteId site) {
        this.api = api;
        this.versions = versions;
        this.site = site;
    }

    /** Returns the fields by cluster; null if they cannot be read. */
    @Nullable
    SortedMap<ClusterKey, List<ReadVersionField>> read() {
        SortedMap<ClusterKey, List<ReadVersionField>> found = new TreeMap<>();
        ExtensionState extension = findExtension();
        if (extension != ExtensionState.DISCOVERED && extension != ExtensionState.NOT_DISCOVERED) {
            return extension == ExtensionState.ABSENT ? found : null;
        }
        List<String> namespaces = new ArrayList<>();
        if (api.forEachObject(
                        KubeApiPath.listPath("v1", null, "namespaces"),
                        TAKES_PART,
                        MAX_OBJECTS,
                        namespace -> namespaces.add(namespace.name()))
                != null) {
            return null;
        }
        for (String namespace : namespaces) {
            if (!readNamespace(namespace, extension, found)) {
                return null;
            }
        }
        found.values().forEach(fields -> fields.sort(ORDER));
        return found;
    }

    /** Whether Cluster API calls the extension. */
    private enum ExtensionState {
        DISCOVERED,
        NOT_DISCOVERED,
        ABSENT,
        UNKNOWN
    }

    private ExtensionState findExtension() {
        for (String version : List.of("v1beta2", "v1alpha1")) {
            List<KubeObject> ours = new ArrayList<>();
            String problem = api.forEachObject(
                    KubeApiPath.listPath(RUNTIME_GROUP + "/" + version, "extensionconfigs"),
                    "",
                    MAX_OBJECTS,
                    config -> {
                        if (isOurs(config)) {
                            ours.add(config);
                        }
                    });
            if (problem == null) {
                return ours.isEmpty()
                        ? ExtensionState.ABSENT
                        : ours.stream().allMatch(config -> config.isCondition("Discovered", "True"))
                                ? ExtensionState.DISCOVERED
                                : ExtensionState.NOT_DISCOVERED;
            }
        }
        String served = versions.versionOf(RUNTIME_GROUP, "extensionconfigs");
        return served != null && served.isEmpty() ? ExtensionState.ABSENT : ExtensionState.UNKNOWN;
    }

    private static boolean isOurs(KubeObject config) {
        return EXTENSION.equals(config.text("spec", "clientConfig", "service", "name"))
                || config.name().startsWith(EXTENSION_PREFIX);
    }

    private boolean readNamespace(
            String namespace, ExtensionState extension, SortedMap<ClusterKey, List<ReadVersionField>> found) {
        String notCalled = extension == ExtensionState.DISCOVERED ? null : NOT_CALLED;
        Map<String, KubeObject> controlPlanes = new HashMap<>();
        Map<String, List<KubeObject>> deployments = new HashMap<>();
        List<KubeObject> clusters = new ArrayList<>();
        String ofControlPlanes = list(
                ReadVersionField.CONTROL_PLANE_GROUP,
                "kubeadmcontrolplanes",
                namespace,
                each -> controlPlanes.put(each.name(), each));
        String ofDeployments = list(ReadVersionField.CLUSTER_GROUP, "machinedeployments", namespace, each -> {
            String cluster = each.text("spec", "clusterName");
            deployments
                    .computeIfAbsent(
                            cluster == null ? String.valueOf(each.label(LabelKeys.CLUSTER_NAME)) : cluster,
                            absent -> new ArrayList<>())
                    .add(each);
        });
        String ofClusters = list(ReadVersionField.CLUSTER_GROUP, "clusters", namespace, clusters::add);
        if (ofControlPlanes == null || ofDeployments == null || ofClusters == null) {
            return false;
        }
        for (KubeObject cluster : clusters) {
            List<ReadVersionField> fields = new ArrayList<>();
            add(fields, ReadVersionField.read(VersionFieldKind.TOPOLOGY, ofClusters, cluster, notCalled));
            KubeObject controlPlane = "KubeadmControlPlane".equals(cluster.text("spec", "controlPlaneRef", "kind"))
                    ? controlPlanes.get(String.valueOf(cluster.text("spec", "controlPlaneRef", "name")))
                    : null;
            if (controlPlane != null) {
                add(
                        fields,
                        ReadVersionField.read(
                                VersionFieldKind.CONTROL_PLANE,
                                ofControlPlanes,
                                controlPlane,
                                firstOf(notCalled, ReplacementRules.problemOfControlPlane(controlPlane))));
            }
            for (KubeObject deployment : deployments.getOrDefault(cluster.name(), List.of())) {
                add(
                        fields,
                        ReadVersionField.read(
                                VersionFieldKind.MACHINE_DEPLOYMENT,
                                ofDeployments,
                                deployment,
                                firstOf(notCalled, ReplacementRules.problemOfDeployment(deployment))));
            }
            found.put(new ClusterKey(site, namespace, cluster.name()), fields);
        }
        return true;
    }

    private static @Nullable String firstOf(@Nullable String one, @Nullable String other) {
        return one == null ? other : one;
    }

    private static void add(List<ReadVersionField> fields, @Nullable ReadVersionField field) {
        if (field != null) {
            fields.add(field);
        }
    }

    /** Lists objects; returns their API version, or null if they cannot be read. A kind that is not served has no objects. */
    private @Nullable String list(String group, String plural, String namespace, Consumer<KubeObject> taker) {
        String served = versions.versionOf(group, plural);
        if (served == null || served.isEmpty()) {
            return served;
        }
        String version = group + "/" + served;
        return api.forEachObject(KubeApiPath.groupObject(version, namespace, plural), "", MAX_OBJECTS, taker) == null
                ? version
                : null;
    }
}
