package dev.flotilla.clusterapi.plan;

import dev.flotilla.kube.ExtensionRegistration;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads what a plan needs of a cluster from its management cluster. It only reads. */
public final class LiveClusterReader {
    private static final String CORE = "cluster.x-k8s.io/v1beta2";
    private static final String RUNTIME = ExtensionRegistration.GROUP + "/v1beta2";
    private static final int MOST = 10_000;

    private final KubeApiClient api;
    private final String namespace;
    private final String name;
    private final List<KubeObject> objects = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Map<String, GroupKind>> kindsOf = new TreeMap<>();

    private boolean isMissing;

    /** How a kind is read. */
    private record GroupKind(String version, String plural) {}

    /**
     * What was read.
     *
     * @param problems what could not be read, and why
     * @param isMissing whether the API server has no such cluster
     */
    public record LiveObjects(List<KubeObject> objects, List<String> problems, boolean isMissing) {
        public LiveObjects {
            objects = List.copyOf(objects);
            problems = List.copyOf(problems);
        }
    }

    private LiveClusterReader(KubeApiClient api, String namespace, String name) {
        this.api = api;
        this.namespace = namespace;
        this.name = name;
    }

    /**
     * Reads a cluster.
     *
     * @param changes what is to change; templates that they refer to are read too
     */
    public static LiveObjects read(KubeApiClient api, String namespace, String name, List<KubeObject> changes) {
        LiveClusterReader reader = new LiveClusterReader(api, namespace, name);
        reader.readAll(changes);
        return new LiveObjects(
                reader.objects, reader.problems.stream().distinct().toList(), reader.isMissing);
    }

    private void readAll(List<KubeObject> changes) {
        if (!readObject(CORE, namespace, "clusters", name)) {
            return;
        }
        String ofCluster = "&labelSelector=" + KubeApiPath.encodeQueryValue("cluster.x-k8s.io/cluster-name=" + name);
        readList(KubeApiPath.groupObject(CORE, namespace, "machines"), ofCluster, CORE, "Machine");
        readList(KubeApiPath.groupObject(CORE, namespace, "machinesets"), "", CORE, "MachineSet");
        readList(KubeApiPath.groupObject(CORE, namespace, "machinedeployments"), "", CORE, "MachineDeployment");
        readList(
                KubeApiPath.listPath(RUNTIME, ExtensionRegistration.EXTENSION_CONFIGS),
                "",
                RUNTIME,
                NamespaceExtension.EXTENSION_CONFIG);
        take(
                "namespace " + namespace,
                api.get(KubeApiPath.clusterScopedObject("namespaces", namespace)),
                "v1",
                "Namespace");
        Set<KubeObject> references = new LinkedHashSet<>();
        references.add(objects.getFirst().object("spec", "controlPlaneRef"));
        references.forEach(this::readReference);
        references.clear();
        for (KubeObject change : changes) {
            readChanged(change);
        }
        List<KubeObject> present = List.copyOf(objects);
        present.forEach(each -> addReferences(each, references));
        // A change may have a part of a reference only, such as the name.
        new ChangedObjects(new ClusterObjects(present), changes, namespace)
                .after()
                .all()
                .forEach(each -> addReferences(each, references));
        references.forEach(this::readReferenceIfPresent);
    }

    private static void addReferences(KubeObject object, Set<KubeObject> references) {
        for (String[] path : new String[][] {
            {"spec", "template", "spec", "bootstrap", "configRef"},
            {"spec", "template", "spec", "infrastructureRef"},
            {"spec", "machineTemplate", "spec", "infrastructureRef"}
        }) {
            if (object.has(path)) {
                references.add(object.object(path));
            }
        }
        if ("Machine".equals(object.text("kind")) && object.labels().has("cluster.x-k8s.io/control-plane")) {
            references.add(object.object("spec", "infrastructureRef"));
            references.add(object.object("spec", "bootstrap", "configRef"));
        }
    }

    /** A changed template may be there; any other changed object has been listed or is the control plane. */
    private void readChanged(KubeObject change) {
        String version = String.valueOf(change.text("apiVersion"));
        String kind = ClusterObjects.kindOf(change);
        if (kind.endsWith("Template") && version.contains("/")) {
            readReferenceIfPresent(new KubeObject(new JsonObjectReader.Builder()
                    .put("apiGroup", version.substring(0, version.indexOf('/')))
                    .put("kind", kind)
                    .put("name", change.name())
                    .build()));
        }
    }

    private void readReference(KubeObject reference) {
        read(reference, true);
    }

    private void readReferenceIfPresent(KubeObject reference) {
        read(reference, false);
    }

    private void read(KubeObject reference, boolean required) {
        String group = reference.text("apiGroup");
        String kind = reference.text("kind");
        String named = reference.text("name");
        if (group == null || kind == null || named == null) {
            return;
        }
        GroupKind served = kindsOf.computeIfAbsent(group, this::discover).get(kind);
        if (served == null) {
            problems.add("kind " + kind + " of " + group + " is not served by " + api.root()
                    + ": check the provider that it belongs to");
            return;
        }
        KubeResponse response = api.get(KubeApiPath.objectPath(served.version(), namespace, served.plural(), named));
        if (!response.isMissing() || required) {
            take(kind + " " + namespace + "/" + named, response, served.version(), kind);
        }
    }

    /**
     * Returns how the kinds of a group are read: by the first version that the API server has for each. The providers of one group may
     * serve different versions.
     */
    private Map<String, GroupKind> discover(String group) {
        Map<String, GroupKind> kinds = new TreeMap<>();
        if (api.get("/apis/" + KubeApiPath.encodeQueryValue(group)) instanceof KubeResponse.SuccessResponse found) {
            for (KubeObject each : found.object().list("versions")) {
                addKinds(String.valueOf(each.text("groupVersion")), kinds);
            }
        }
        return kinds;
    }

    private void addKinds(String version, Map<String, GroupKind> kinds) {
        if (api.get("/apis/" + version) instanceof KubeResponse.SuccessResponse resources) {
            for (KubeObject resource : resources.object().list("resources")) {
                String plural = String.valueOf(resource.text("name"));
                if (!plural.contains("/")) {
                    kinds.putIfAbsent(String.valueOf(resource.text("kind")), new GroupKind(version, plural));
                }
            }
        }
    }

    private boolean readObject(String version, String inNamespace, String kinds, String named) {
        KubeResponse response = api.get(KubeApiPath.groupObject(version, inNamespace, kinds, named));
        if (response.isMissing() && api.get("/apis/" + version).isMissing()) {
            problems.add(
                    api.root() + " does not serve " + version + ": updates in place need Cluster API 1.12 or newer");
            return false;
        }
        isMissing = response.isMissing();
        return take("cluster " + inNamespace + "/" + named, response, version, ChangedObjects.CLUSTER);
    }

    private boolean take(String what, KubeResponse response, String version, String kind) {
        if (response instanceof KubeResponse.SuccessResponse found) {
            objects.add(typed(found.object(), version, kind));
            return true;
        }
        problems.add(
                response.isMissing()
                        ? "there is no " + what + " at " + api.root()
                        : what + " cannot be read: " + response.problem());
        return false;
    }

    private void readList(String path, String selector, String version, String kind) {
        String problem = api.forEachObject(path, selector, MOST, item -> {
            String cluster = item.text("spec", "clusterName");
            if (cluster == null || cluster.equals(name)) {
                objects.add(typed(item, version, kind));
            }
        });
        if (problem != null) {
            problems.add(kind + "s cannot be listed: " + problem);
        }
    }

    /** Items of a list have neither a version nor a kind. */
    private static KubeObject typed(KubeObject item, String version, String kind) {
        return new KubeObject(item.json().toBuilder()
                .put("apiVersion", version)
                .put("kind", kind)
                .build());
    }
}
