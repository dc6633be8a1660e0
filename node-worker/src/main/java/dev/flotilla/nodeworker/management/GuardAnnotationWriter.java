package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's guards on its Machine: its mark, and what keeps controllers off. Set and released only on the object that was
 * looked at, so that nobody writes over what another has written since.
 */
public final class GuardAnnotationWriter {
    private final ManagementClusterClient managementClusterClient;
    private final GuardAnnotationPolicy policy;

    public GuardAnnotationWriter(ManagementClusterClient managementClusterClient, GuardAnnotationPolicy policy) {
        this.managementClusterClient = managementClusterClient;
        this.policy = policy;
    }

    /** What came of setting or taking over the guards. */
    public sealed interface GuardResult {

        /** They are set, on this object. */
        record GuardsWritten(KubeObject machine, AttemptAnnotation mark) implements GuardResult {}

        /** They are not, and nothing was changed that stays. */
        record GuardsNotWritten(String reason) implements GuardResult {}
    }

    /** Sets them on a machine that was looked at. */
    public GuardResult setGuards(MachineKey key, KubeObject seen, long attempt, String owner) {
        KubeObject machine = seen;
        for (int i = 0; i < AnnotatedObjectUpdater.TRIES; i++) {
            AttemptAnnotation there = AttemptAnnotation.onMachine(machine);
            if (there != null && there.attempt() > attempt) {
                return new GuardResult.GuardsNotWritten("attempt " + there.attempt() + " holds the machine");
            }
            AttemptAnnotation attemptAnnotation = new AttemptAnnotation(attempt, owner, toRelease(machine, there));
            KubeResponse written = i == 0
                    ? managementClusterClient.jsonPatchMachine(key, stepByStep(machine, attemptAnnotation))
                    : managementClusterClient.mergePatchMachine(key, guarding(machine, attemptAnnotation));
            if (written instanceof KubeResponse.SuccessResponse successResponse) {
                return new GuardResult.GuardsWritten(successResponse.object(), attemptAnnotation);
            }
            if (!written.isConflict()) {
                return new GuardResult.GuardsNotWritten("the guards cannot be set: " + written.problem());
            }
            if (!(managementClusterClient.machine(key) instanceof KubeResponse.SuccessResponse again)
                    || !again.object().uid().equals(seen.uid())) {
                break;
            }
            machine = again.object();
        }
        return new GuardResult.GuardsNotWritten("the machine changes under the guards");
    }

    /** What an earlier attempt set and did not release is ours to release, and what others set is not. */
    private List<String> toRelease(KubeObject machine, @Nullable AttemptAnnotation there) {
        List<String> set = new ArrayList<>();
        for (String annotation : GuardAnnotationPolicy.EVER) {
            boolean ours = there != null && there.setAnnotations().contains(annotation);
            boolean wanted = policy.annotations().contains(annotation);
            if (ours || (wanted && machine.annotation(annotation) == null)) {
                set.add(annotation);
            }
        }
        return set;
    }

    /**
     * Sets them if nobody has written what they write, whatever else of the machine has changed since it was looked at: its
     * status mostly has, where somebody has just asked for the upgrade. This needs no second look.
     */
    private static JsonPatchBuilder stepByStep(KubeObject machine, AttemptAnnotation attemptAnnotation) {
        JsonPatchBuilder patch = new JsonPatchBuilder().test(machine.uid(), "metadata", "uid");
        if (!machine.has("metadata", "annotations")) {
            patch.testAbsent("metadata", "annotations").setEmpty("metadata", "annotations");
        }
        setting(patch, machine, AttemptAnnotation.ON_MACHINE, attemptAnnotation.text());
        attemptAnnotation
                .setAnnotations()
                .forEach(annotation -> setting(patch, machine, annotation, GuardAnnotationPolicy.value(annotation)));
        return patch;
    }

    private static void setting(JsonPatchBuilder patch, KubeObject machine, String annotation, String value) {
        String[] path = {"metadata", "annotations", annotation};
        String there = machine.annotation(annotation);
        JsonPatchBuilder tested = there == null ? patch.testAbsent(path) : patch.test(there, path);
        tested.set(value, path);
    }

    private static JsonObjectReader guarding(KubeObject machine, AttemptAnnotation attemptAnnotation) {
        JsonObjectReader.Builder annotations =
                new JsonObjectReader.Builder().put(AttemptAnnotation.ON_MACHINE, attemptAnnotation.text());
        for (String annotation : attemptAnnotation.setAnnotations()) {
            annotations.put(annotation, GuardAnnotationPolicy.value(annotation));
        }
        return changing(machine, annotations);
    }

    private static JsonObjectReader changing(KubeObject machine, JsonObjectReader.Builder annotations) {
        return new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("resourceVersion", machine.resourceVersion())
                                .put("annotations", annotations.build())
                                .build())
                .build();
    }

    /** Writes an owner into the mark that an earlier owner of the same attempt left. Null once it is done. */
    public @Nullable String takeOverGuards(MachineKey key, long attempt, String owner) {
        return marked(key)
                .applyChange(
                        attempt,
                        (machine, attemptAnnotation) -> attemptAnnotation.belongsTo(attempt, owner)
                                ? null
                                : changing(
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
     * Removes what this attempt set, if it is still in these hands. Null once nothing of it is left to them; else what went
     * wrong.
     *
     * @param known the mark as it was written; null where nobody remembers
     */
    public @Nullable String releaseGuards(
            MachineKey key, long attempt, String owner, @Nullable AttemptAnnotation known) {
        if (known != null) {
            // Mostly the machine's status has changed meanwhile and the mark has not: this needs no read.
            JsonPatchBuilder patch = new JsonPatchBuilder()
                    .test(known.text(), "metadata", "annotations", AttemptAnnotation.ON_MACHINE)
                    .remove("metadata", "annotations", AttemptAnnotation.ON_MACHINE);
            known.setAnnotations().forEach(annotation -> patch.remove("metadata", "annotations", annotation));
            KubeResponse reply = managementClusterClient.jsonPatchMachine(key, patch);
            if (reply instanceof KubeResponse.SuccessResponse || reply.isMissing()) {
                return null;
            }
        }
        return marked(key).applyChange(attempt, (machine, attemptAnnotation) -> {
            if (!attemptAnnotation.owner().equals(owner)) {
                return null;
            }
            JsonObjectReader.Builder annotations = new JsonObjectReader.Builder()
                    .put(AttemptAnnotation.ON_MACHINE, new JsonValue.JsonNull(JsonValue.NO_LINE));
            attemptAnnotation.setAnnotations().stream()
                    .filter(GuardAnnotationPolicy.EVER::contains)
                    .forEach(annotation -> annotations.put(annotation, new JsonValue.JsonNull(JsonValue.NO_LINE)));
            return changing(machine, annotations);
        });
    }

    private AnnotatedObjectUpdater marked(MachineKey key) {
        return new AnnotatedObjectUpdater(
                () -> managementClusterClient.machine(key),
                AttemptAnnotation::onMachine,
                body -> managementClusterClient.mergePatchMachine(key, body),
                "",
                "",
                "the machine changes under the guards");
    }
}
