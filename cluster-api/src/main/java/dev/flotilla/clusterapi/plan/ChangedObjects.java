package dev.flotilla.clusterapi.plan;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The objects before and after a change, which is applied as {@code kubectl apply} does. */
final class ChangedObjects {
    static final String CLUSTER = "Cluster";
    static final String DEPLOYMENT = "MachineDeployment";

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String TOPOLOGY_OWNED = "topology.cluster.x-k8s.io/owned";
    private static final String SPEC = "spec";

    private final ClusterObjects before;
    private final ClusterObjects after;
    private final String namespace;
    private final List<ObjectEdit> edits = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * A changed object.
     *
     * @param before null if the change creates it
     */
    record ObjectEdit(@Nullable KubeObject before, KubeObject after) {
        String kind() {
            return ClusterObjects.kindOf(after);
        }
    }

    /** Applies changes to objects; a change without a namespace is one of the given namespace. */
    ChangedObjects(ClusterObjects before, List<KubeObject> changes, String namespace) {
        this.before = before;
        this.after = new ClusterObjects(before.all());
        this.namespace = namespace;
        changes.forEach(this::apply);
    }

    ClusterObjects before() {
        return before;
    }

    ClusterObjects after() {
        return after;
    }

    List<ObjectEdit> edits() {
        return edits;
    }

    List<String> problems() {
        return problems;
    }

    static boolean isControlPlane(String kind) {
        return kind.endsWith("ControlPlane");
    }

    private static boolean isTemplate(String kind) {
        return kind.endsWith("ConfigTemplate") || kind.endsWith("MachineTemplate");
    }

    private void apply(KubeObject given) {
        String kind = ClusterObjects.kindOf(given);
        KubeObject change = given.namespace().isEmpty()
                ? new KubeObject(JsonEdits.put(given.json(), namespace, "metadata", "namespace"))
                : given;
        if (!kind.equals(CLUSTER) && !kind.equals(DEPLOYMENT) && !isControlPlane(kind) && !isTemplate(kind)) {
            problems.add("the change has a " + kind + " (" + change.name() + "), which no machine is made of: give a"
                    + " KubeadmControlPlane, a MachineDeployment, a Cluster, or a template of bootstrap or infrastructure"
                    + " objects");
            return;
        }
        KubeObject present = before.find(kind, change.namespace(), change.name());
        if (present == null) {
            if (isTemplate(kind)) {
                record(null, change);
            } else {
                problems.add("the change has " + kind + " " + change.namespace() + "/" + change.name()
                        + ", which is not among the present objects" + describePresent(kind)
                        + ": correct the name or the namespace, or add its export");
            }
        } else {
            KubeObject changed = merge(present, change);
            record(present, changed);
            if (kind.equals(CLUSTER)) {
                applyTopology(present, changed);
            }
        }
    }

    private String describePresent(String kind) {
        List<String> names = before.ofKind(kind).stream()
                .map(each -> each.namespace() + "/" + each.name())
                .toList();
        return names.isEmpty() ? "" : " (they have " + String.join(", ", names) + ")";
    }

    /**
     * An object that was exported, with a uid or a resourceVersion, replaces the spec. Of any other, the fields are set that it has, and
     * those are removed that the last {@code kubectl apply} had set.
     */
    private static KubeObject merge(KubeObject present, KubeObject change) {
        if (!change.uid().isEmpty() || !change.resourceVersion().isEmpty()) {
            JsonValue spec = change.json().get(SPEC);
            return spec == null
                    ? present
                    : new KubeObject(present.json().toBuilder().put(SPEC, spec).build());
        }
        KubeObject lastApplied = KubeObject.parse(present.annotation(LAST_APPLIED));
        JsonObjectReader base = lastApplied == null
                ? present.json()
                : JsonEdits.put(
                        present.json(),
                        JsonEdits.removeDropped(
                                JsonEdits.orEmpty(present.json().get(SPEC)),
                                lastApplied.object(SPEC).json(),
                                change.object(SPEC).json()),
                        SPEC);
        return new KubeObject(JsonEdits.merge(base, change.json()));
    }

    private void record(@Nullable KubeObject present, KubeObject changed) {
        after.put(changed);
        edits.add(new ObjectEdit(present, changed));
    }

    /** The topology controller writes the version into the control plane and into the MachineDeployments that it owns. */
    private void applyTopology(KubeObject present, KubeObject changed) {
        JsonObjectReader from = present.object(SPEC, "topology").json();
        JsonObjectReader to = changed.object(SPEC, "topology").json();
        for (JsonObjectReader each : List.of(from, to)) {
            for (int i = 0; i < each.size(); i++) {
                String name = each.name(i);
                if (!name.equals("version") && !isSame(from.get(name), to.get(name))) {
                    problems.add("the change edits spec.topology." + name + " of Cluster " + changed.name()
                            + ", which Cluster API computes objects from: give those objects as the change, as clusterctl"
                            + " alpha topology plan writes them");
                    return;
                }
            }
        }
        String version = changed.text(SPEC, "topology", "version");
        if (version == null || version.equals(present.text(SPEC, "topology", "version"))) {
            return;
        }
        KubeObject controlPlane = before.find(present.object(SPEC, "controlPlaneRef"), present.namespace());
        if (controlPlane == null) {
            problems.add("the control plane of Cluster " + changed.name() + " is not among the present objects: add the"
                    + " export of " + present.text(SPEC, "controlPlaneRef", "kind") + " "
                    + present.text(SPEC, "controlPlaneRef", "name"));
            return;
        }
        record(controlPlane, new KubeObject(JsonEdits.put(controlPlane.json(), version, SPEC, "version")));
        for (KubeObject deployment : before.ofKind(DEPLOYMENT)) {
            if (changed.name().equals(deployment.text(SPEC, "clusterName"))
                    && changed.namespace().equals(deployment.namespace())
                    && deployment.labels().has(TOPOLOGY_OWNED)) {
                record(
                        deployment,
                        new KubeObject(JsonEdits.put(deployment.json(), version, SPEC, "template", SPEC, "version")));
            }
        }
    }

    private static boolean isSame(@Nullable JsonValue one, @Nullable JsonValue other) {
        return one != null && other != null && KubeObject.toJsonText(one).equals(KubeObject.toJsonText(other));
    }
}
