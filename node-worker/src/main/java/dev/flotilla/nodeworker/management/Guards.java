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
public final class Guards {
    private final Machines machines;
    private final GuardPolicy policy;

    public Guards(Machines machines, GuardPolicy policy) {
        this.machines = machines;
        this.policy = policy;
    }

    /** What came of setting or taking over the guards. */
    public sealed interface Setting {

        /** They are set, on this object. */
        record Set(KubeObject machine, Mark mark) implements Setting {}

        /** They are not, and nothing was changed that stays. */
        record Not(String why) implements Setting {}
    }

    /** Sets them on a machine that was looked at. */
    public Setting set(MachineKey key, KubeObject seen, long attempt, String owner) {
        KubeObject machine = seen;
        for (int i = 0; i < Marked.TRIES; i++) {
            Mark there = Mark.onMachine(machine);
            if (there != null && there.attempt() > attempt) {
                return new Setting.Not("attempt " + there.attempt() + " holds the machine");
            }
            Mark mark = new Mark(attempt, owner, toRelease(machine, there));
            KubeResponse written = i == 0
                    ? machines.patch(key, stepByStep(machine, mark))
                    : machines.merge(key, guarding(machine, mark));
            if (written instanceof KubeResponse.SuccessResponse successResponse) {
                return new Setting.Set(successResponse.object(), mark);
            }
            if (!written.isConflict()) {
                return new Setting.Not("the guards cannot be set: " + written.problem());
            }
            if (!(machines.machine(key) instanceof KubeResponse.SuccessResponse again)
                    || !again.object().uid().equals(seen.uid())) {
                break;
            }
            machine = again.object();
        }
        return new Setting.Not("the machine changes under the guards");
    }

    /** What an earlier attempt set and did not release is ours to release, and what others set is not. */
    private List<String> toRelease(KubeObject machine, @Nullable Mark there) {
        List<String> set = new ArrayList<>();
        for (String annotation : GuardPolicy.EVER) {
            boolean ours = there != null && there.set().contains(annotation);
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
    private static JsonPatchBuilder stepByStep(KubeObject machine, Mark mark) {
        JsonPatchBuilder patch = new JsonPatchBuilder().test(machine.uid(), "metadata", "uid");
        if (!machine.has("metadata", "annotations")) {
            patch.testAbsent("metadata", "annotations").setEmpty("metadata", "annotations");
        }
        setting(patch, machine, Mark.ON_MACHINE, mark.text());
        mark.set().forEach(annotation -> setting(patch, machine, annotation, GuardPolicy.value(annotation)));
        return patch;
    }

    private static void setting(JsonPatchBuilder patch, KubeObject machine, String annotation, String value) {
        String[] path = {"metadata", "annotations", annotation};
        String there = machine.annotation(annotation);
        JsonPatchBuilder tested = there == null ? patch.testAbsent(path) : patch.test(there, path);
        tested.set(value, path);
    }

    private static JsonObjectReader guarding(KubeObject machine, Mark mark) {
        JsonObjectReader.Builder annotations = new JsonObjectReader.Builder().put(Mark.ON_MACHINE, mark.text());
        for (String annotation : mark.set()) {
            annotations.put(annotation, GuardPolicy.value(annotation));
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
    public @Nullable String takeOver(MachineKey key, long attempt, String owner) {
        return marked(key)
                .change(
                        attempt,
                        (machine, mark) -> mark.isOf(attempt, owner)
                                ? null
                                : changing(
                                        machine,
                                        new JsonObjectReader.Builder()
                                                .put(Mark.ON_MACHINE, new Mark(attempt, owner, mark.set()).text())));
    }

    /**
     * Removes what this attempt set, if it is still in these hands. Null once nothing of it is left to them; else what went
     * wrong.
     *
     * @param known the mark as it was written; null where nobody remembers
     */
    public @Nullable String release(MachineKey key, long attempt, String owner, @Nullable Mark known) {
        if (known != null) {
            // Mostly the machine's status has changed meanwhile and the mark has not: this needs no read.
            JsonPatchBuilder patch = new JsonPatchBuilder()
                    .test(known.text(), "metadata", "annotations", Mark.ON_MACHINE)
                    .remove("metadata", "annotations", Mark.ON_MACHINE);
            known.set().forEach(annotation -> patch.remove("metadata", "annotations", annotation));
            KubeResponse reply = machines.patch(key, patch);
            if (reply instanceof KubeResponse.SuccessResponse || reply.isMissing()) {
                return null;
            }
        }
        return marked(key).change(attempt, (machine, mark) -> {
            if (!mark.owner().equals(owner)) {
                return null;
            }
            JsonObjectReader.Builder annotations = new JsonObjectReader.Builder().put(Mark.ON_MACHINE, new JsonValue.JsonNull(JsonValue.NO_LINE));
            mark.set().stream()
                    .filter(GuardPolicy.EVER::contains)
                    .forEach(annotation -> annotations.put(annotation, new JsonValue.JsonNull(JsonValue.NO_LINE)));
            return changing(machine, annotations);
        });
    }

    private Marked marked(MachineKey key) {
        return new Marked(
                () -> machines.machine(key),
                Mark::onMachine,
                body -> machines.merge(key, body),
                "",
                "",
                "the machine changes under the guards");
    }
}
