package dev.flotilla.managementwatcher.inplace;

import dev.flotilla.kube.ExtensionRegistration;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the version fields of the clusters in namespaces that take part in updates in place, and whether Cluster API calls the extension. */
final class VersionFieldReader {
    private static final String NOT_CALLED = "Cluster API has not discovered the extension (see its ExtensionConfig)";
    private static final String NOT_REGISTERED = "no ExtensionConfig of Flotilla is there: create it, or remove label "
            + ExtensionRegistration.NAMESPACE_LABEL + " of the namespace";
    private static final String NO_VERSION = ": the API server did not say which versions it serves";
    private static final String TAKES_PART = "&labelSelector="
            + KubeApiPath.encodeQueryValue(ExtensionRegistration.NAMESPACE_LABEL + "=" + ExtensionRegistration.ENABLED);
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

    /** Reads the fields by cluster; returns why they cannot be read, or null. */
    @Nullable
    String readInto(SortedMap<ClusterKey, List<ReadVersionField>> found) {
        List<String> namespaces = new ArrayList<>();
        String problem = api.forEachObject(
                KubeApiPath.listPath("v1", null, "namespaces"),
                TAKES_PART,
                MAX_OBJECTS,
                namespace -> namespaces.add(namespace.name()));
        if (problem != null || namespaces.isEmpty()) {
            return problem;
        }
        List<KubeObject> extensions = new ArrayList<>();
        problem = findExtensions(extensions);
        if (problem != null) {
            return problem;
        }
        String notCalled = extensions.isEmpty()
                ? NOT_REGISTERED
                : extensions.stream().allMatch(config -> config.isCondition("Discovered", "True")) ? null : NOT_CALLED;
        for (int i = 0; i < namespaces.size() && problem == null; i++) {
            problem = readNamespace(namespaces.get(i), notCalled, found);
        }
        found.values().forEach(fields -> fields.sort(ORDER));
        return problem;
    }

    /** Finds the registrations of the extension; returns why they cannot be read, or null. */
    private @Nullable String findExtensions(List<KubeObject> ours) {
        String served = versions.versionOf(ExtensionRegistration.GROUP, ExtensionRegistration.EXTENSION_CONFIGS);
        if (served == null) {
            return ExtensionRegistration.EXTENSION_CONFIGS + NO_VERSION;
        }
        if (served.isEmpty()) {
            return null;
        }
        String problem = api.forEachObject(
                KubeApiPath.listPath(
                        ExtensionRegistration.GROUP + "/" + served, ExtensionRegistration.EXTENSION_CONFIGS),
                "",
                MAX_OBJECTS,
                config -> {
                    if (ExtensionRegistration.isOurs(config)) {
                        ours.add(config);
                    }
                });
        if (problem != null
                && api.get("/apis/" + ExtensionRegistration.GROUP + "/" + served)
                        .isMissing()) {
            // Cluster API was removed, or serves another version: the next read finds that.
            versions.forget(ExtensionRegistration.GROUP, ExtensionRegistration.EXTENSION_CONFIGS);
        }
        return problem == null ? null : ExtensionRegistration.EXTENSION_CONFIGS + ": " + problem;
    }

    private @Nullable String readNamespace(
            String namespace, @Nullable String notCalled, SortedMap<ClusterKey, List<ReadVersionField>> found) {
        Map<String, KubeObject> controlPlanes = new HashMap<>();
        Map<String, List<KubeObject>> deployments = new HashMap<>();
        List<KubeObject> clusters = new ArrayList<>();
        FieldList ofControlPlanes = list(
                ReadVersionField.CONTROL_PLANE_GROUP,
                "kubeadmcontrolplanes",
                namespace,
                each -> controlPlanes.put(each.name(), each));
        FieldList ofDeployments = list(
                ReadVersionField.CLUSTER_GROUP,
                "machinedeployments",
                namespace,
                each -> deployments
                        .computeIfAbsent(clusterOf(each), absent -> new ArrayList<>())
                        .add(each));
        FieldList ofClusters = list(ReadVersionField.CLUSTER_GROUP, "clusters", namespace, clusters::add);
        String problem = firstOf(ofControlPlanes.problem(), firstOf(ofDeployments.problem(), ofClusters.problem()));
        if (problem != null) {
            return problem;
        }
        for (KubeObject cluster : clusters) {
            List<ReadVersionField> fields = new ArrayList<>();
            add(
                    fields,
                    ReadVersionField.read(
                            VersionFieldKind.TOPOLOGY,
                            ofClusters.apiVersion(),
                            cluster,
                            firstOf(notCalled, ReplacementRules.problemOfCluster(cluster))));
            KubeObject controlPlane = ReplacementRules.isUpdatedInPlace(cluster.text("spec", "controlPlaneRef", "kind"))
                    ? controlPlanes.get(String.valueOf(cluster.text("spec", "controlPlaneRef", "name")))
                    : null;
            if (controlPlane != null) {
                add(
                        fields,
                        ReadVersionField.read(
                                VersionFieldKind.CONTROL_PLANE,
                                ofControlPlanes.apiVersion(),
                                controlPlane,
                                firstOf(notCalled, ReplacementRules.problemOfControlPlane(controlPlane))));
            }
            for (KubeObject deployment : deployments.getOrDefault(cluster.name(), List.of())) {
                add(
                        fields,
                        ReadVersionField.read(
                                VersionFieldKind.MACHINE_DEPLOYMENT,
                                ofDeployments.apiVersion(),
                                deployment,
                                firstOf(notCalled, ReplacementRules.problemOfDeployment(deployment))));
            }
            found.put(new ClusterKey(site, namespace, cluster.name()), fields);
        }
        return null;
    }

    private static String clusterOf(KubeObject deployment) {
        String cluster = deployment.text("spec", "clusterName");
        return cluster == null ? String.valueOf(deployment.label(LabelKeys.CLUSTER_NAME)) : cluster;
    }

    private static @Nullable String firstOf(@Nullable String one, @Nullable String other) {
        return one == null ? other : one;
    }

    private static void add(List<ReadVersionField> fields, @Nullable ReadVersionField field) {
        if (field != null) {
            fields.add(field);
        }
    }

    /**
     * A list of objects with fields.
     *
     * @param apiVersion the version in which they were read; empty if the kind is not served, so that there are none
     * @param problem why they cannot be read; null if they were read
     */
    private record FieldList(String apiVersion, @Nullable String problem) {}

    private FieldList list(String group, String plural, String namespace, Consumer<KubeObject> taker) {
        String served = versions.versionOf(group, plural);
        if (served == null) {
            return new FieldList("", plural + NO_VERSION);
        }
        if (served.isEmpty()) {
            return new FieldList("", null);
        }
        String version = group + "/" + served;
        String problem = api.forEachObject(KubeApiPath.groupObject(version, namespace, plural), "", MAX_OBJECTS, taker);
        return new FieldList(version, problem == null ? null : plural + " of namespace " + namespace + ": " + problem);
    }
}
