package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets and removes an attempt's guards on its Machine: the attempt annotation, and those that keep controllers away. It
 * writes only to the version that was read, so that no other write is lost.
 */
public final class GuardAnnotationWriter {
    private final ManagementClusterClient managementClusterClient;
    private final GuardAnnotationPolicy policy;

    public GuardAnnotationWriter(ManagementClusterClient managementClusterClient, GuardAnnotationPolicy policy) {
        this.managementClusterClient = managementClusterClient;
        this.policy = policy;
    }

    /** Result of setting guards. */
    public sealed interface GuardResult {

        /**
         * The guards are set on this object.
         *
         * @param replaced the attempt annotation that was there before; null for none
         */
        record GuardsWritten(
                KubeObject machine,
                AttemptAnnotation mark,
                @Nullable AttemptAnnotation replaced) implements GuardResult {}

        /** The guards are not set, and nothing was changed permanently. */
        record GuardsNotWritten(String reason) implements GuardResult {}
    }

    /**
     * Sets the guards on a machine as it was read.
     *
     * @param holdsTermination whether the machine, if it is deleted, stays until they are removed
     */
    public GuardResult setGuards(
            MachineKey key, KubeObject read, long attempt, String owner, boolean holdsTermination) {
        KubeObject machine = read;
        for (int i = 0; i < AnnotatedObjectUpdater.TRIES; i++) {
            AttemptAnnotation present = AttemptAnnotation.onMachine(machine);
            if (present != null && present.attempt() > attempt) {
                return new GuardResult.GuardsNotWritten(
                        "attempt " + present.attempt() + " has set guards on the machine");
            }
            AttemptAnnotation attemptAnnotation =
                    new AttemptAnnotation(attempt, owner, annotationsToRelease(machine, present, holdsTermination));
            KubeResponse written = i == 0
                    ? managementClusterClient.jsonPatchMachine(key, buildJsonPatch(machine, attemptAnnotation))
                    : managementClusterClient.mergePatchMachine(key, buildMergePatch(machine, attemptAnnotation));
            if (written instanceof KubeResponse.SuccessResponse successResponse) {
                return new GuardResult.GuardsWritten(successResponse.object(), attemptAnnotation, present);
            }
            if (!written.isConflict()) {
                return new GuardResult.GuardsNotWritten("the guards cannot be set: " + written.problem());
            }
            if (!(managementClusterClient.machine(key) instanceof KubeResponse.SuccessResponse again)
                    || !again.object().uid().equals(read.uid())) {
                break;
            }
            machine = again.object();
        }
        return new GuardResult.GuardsNotWritten("the machine was changed by others at each try to write the guards");
    }

    /**
     * Returns the annotations that this attempt must remove later: those that it adds, and those that an earlier
     * attempt added and did not remove.
     */
    private List<String> annotationsToRelease(
            KubeObject machine, @Nullable AttemptAnnotation present, boolean holdsTermination) {
        List<String> set = new ArrayList<>();
        for (String annotation : AnnotationKeys.GUARDS) {
            boolean oursBefore = present != null && present.setAnnotations().contains(annotation);
            boolean configured = policy.annotations(holdsTermination).contains(annotation);
            if (oursBefore || (configured && machine.annotation(annotation) == null)) {
                set.add(annotation);
            }
        }
        return set;
    }

    /**
     * Builds a patch that fails only if one of these annotations was changed in between. The rest of the machine may
     * have changed since it was read: its status usually has, right after an upgrade was requested. So no second read
     * is needed.
     */
    private static JsonPatchBuilder buildJsonPatch(KubeObject machine, AttemptAnnotation attemptAnnotation) {
        JsonPatchBuilder patch = new JsonPatchBuilder().test(machine.uid(), "metadata", "uid");
        if (!machine.has("metadata", "annotations")) {
            patch.testAbsent("metadata", "annotations").setEmpty("metadata", "annotations");
        }
        addAnnotation(patch, machine, AttemptAnnotation.ON_MACHINE, attemptAnnotation.text());
        attemptAnnotation
                .setAnnotations()
                .forEach(annotation ->
                        addAnnotation(patch, machine, annotation, GuardAnnotationPolicy.value(annotation)));
        return patch;
    }

    private static void addAnnotation(JsonPatchBuilder patch, KubeObject machine, String annotation, String value) {
        String[] path = {"metadata", "annotations", annotation};
        String present = machine.annotation(annotation);
        JsonPatchBuilder tested = present == null ? patch.testAbsent(path) : patch.test(present, path);
        tested.set(value, path);
    }

    private static JsonObjectReader buildMergePatch(KubeObject machine, AttemptAnnotation attemptAnnotation) {
        JsonObjectReader.Builder annotations =
                new JsonObjectReader.Builder().put(AttemptAnnotation.ON_MACHINE, attemptAnnotation.text());
        for (String annotation : attemptAnnotation.setAnnotations()) {
            annotations.put(annotation, GuardAnnotationPolicy.value(annotation));
        }
        return withAnnotations(machine, annotations);
    }

    private static JsonObjectReader withAnnotations(KubeObject machine, JsonObjectReader.Builder annotations) {
        return new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("resourceVersion", machine.resourceVersion())
                                .put("annotations", annotations.build())
                                .build())
                .build();
    }

    /**
     * Writes a new owner into the annotation of an earlier owner of the attempt. Returns null once done, else what
     * failed.
     */
    public @Nullable String takeOverGuards(MachineKey key, long attempt, String owner) {
        return updaterFor(key)
                .applyChange(
                        attempt,
                        (machine, attemptAnnotation) -> attemptAnnotation.belongsTo(attempt, owner)
                                ? null
                                : withAnnotations(
                                        machine,
                                        new JsonObjectReader.Builder()
                                                .put(
                                                        AttemptAnnotation.ON_MACHINE,
                                                        new AttemptAnnotation(
                                                                        attempt,
                                                                        owner,
                                                                        attemptAnnotation.setAnnotations())
                                                                .text())));
    }

    /**
     * Removes what this attempt has set, if it still belongs to this owner. Returns null once nothing is left, else
     * what failed.
     *
     * @param known the annotation as written; null if it is not cached
     */
    public @Nullable String releaseGuards(
            MachineKey key, long attempt, String owner, @Nullable AttemptAnnotation known) {
        if (known != null) {
            // Usually the machine's status has changed and the annotation has not, so this needs no read.
            JsonPatchBuilder patch = new JsonPatchBuilder()
                    .test(known.text(), "metadata", "annotations", AttemptAnnotation.ON_MACHINE)
                    .remove("metadata", "annotations", AttemptAnnotation.ON_MACHINE);
            known.setAnnotations().forEach(annotation -> patch.remove("metadata", "annotations", annotation));
            KubeResponse reply = managementClusterClient.jsonPatchMachine(key, patch);
            if (reply instanceof KubeResponse.SuccessResponse || reply.isMissing()) {
                return null;
            }
        }
        return updaterFor(key).applyChange(attempt, (machine, attemptAnnotation) -> {
            if (!attemptAnnotation.owner().equals(owner)) {
                return null;
            }
            JsonObjectReader.Builder annotations = new JsonObjectReader.Builder()
                    .put(AttemptAnnotation.ON_MACHINE, new JsonValue.JsonNull(JsonValue.NO_LINE));
            attemptAnnotation.setAnnotations().stream()
                    .filter(AnnotationKeys.GUARDS::contains)
                    .forEach(annotation -> annotations.put(annotation, new JsonValue.JsonNull(JsonValue.NO_LINE)));
            return withAnnotations(machine, annotations);
        });
    }

    private AnnotatedObjectUpdater updaterFor(MachineKey key) {
        return new AnnotatedObjectUpdater(
                () -> managementClusterClient.machine(key),
                AttemptAnnotation::onMachine,
                body -> managementClusterClient.mergePatchMachine(key, body),
                "",
                "",
                "the machine was changed by others at each try to write the guards");
    }
}
