package dev.flotilla.clusterapi.update;

import dev.flotilla.clusterapi.dirty.DirtyMachineMarker;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.AnnotationKeys;
import org.jspecify.annotations.Nullable;

/**
 * A Machine as it is.
 *
 * @param version the version that it is to have
 * @param bootstrapRef group, kind and name of its bootstrap object; null for none
 * @param infrastructureRef group, kind and name of its infrastructure object; null for none
 * @param dirty what it has about fields that are not applied
 * @param reachedSpec the hash of the description that it has reached; null for none
 * @param taskUid the task that it belongs to; null for none
 */
record MachineState(
        String uid,
        @Nullable String version,
        @Nullable JsonObjectReader bootstrapRef,
        @Nullable JsonObjectReader infrastructureRef,
        @Nullable String kubeletVersion,
        @Nullable String reachedSpec,
        DirtyMachineMarker.DirtyAnnotations dirty,
        @Nullable String taskUid,
        boolean updating,
        boolean deleting) {

    static MachineState of(KubeObject machine) {
        return new MachineState(
                machine.uid(),
                machine.text("spec", "version"),
                ref(machine, "spec", "bootstrap", "configRef"),
                ref(machine, "spec", "infrastructureRef"),
                machine.text("status", "nodeInfo", "kubeletVersion"),
                machine.annotation(AnnotationKeys.REACHED_SPEC),
                DirtyMachineMarker.DirtyAnnotations.readFrom(machine),
                machine.annotation(AnnotationKeys.UPGRADE_TASK),
                machine.annotation(AnnotationKeys.UPDATE_IN_PROGRESS) != null,
                machine.isDeleting());
    }

    /** Whether nothing on the Machine is of an UpgradeTask. */
    boolean showsNoTask() {
        return taskUid == null && reachedSpec == null;
    }

    private static @Nullable JsonObjectReader ref(KubeObject machine, String... path) {
        KubeObject ref = machine.object(path);
        String group = ref.text("apiGroup");
        String kind = ref.text("kind");
        String name = ref.text("name");
        return group == null || kind == null || name == null
                ? null
                : new JsonObjectReader.Builder()
                        .put("apiGroup", group)
                        .put("kind", kind)
                        .put("name", name)
                        .build();
    }
}
