package dev.flotilla.clusterapi.update;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an {@code UpdateMachine} request is answered. The answer follows from the objects alone, so every replica gives the same one.
 * Only a completed UpgradeTask of a machine that is at its target means done.
 */
final class UpdateDecider {
    static final int RUNNING_SECONDS = 5;
    static final int HELD_SECONDS = 20;

    /** The answer for a Machine that is gone or will be. */
    static final UpdateAnswer HELD_BY_DELETION =
            new UpdateAnswer.InProgress(HELD_SECONDS, "the Machine is being deleted");

    /** How long after the end of a task its Machine may show a state before that end. */
    static final Duration SHOWN_WITHIN = Duration.ofMinutes(1);

    /** Tasks of versions that did not number them may have the same number. */
    private static final Comparator<MachineTask> NEWEST_LAST = Comparator.comparingInt(MachineTask::round)
            .thenComparing(MachineTask::finishedAt, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(MachineTask::name);

    private static final int MAX_PREFIX = 40;
    private static final int NAME_HASH_BYTES = 4;
    private static final String API_VERSION = "flotilla.dev/v1alpha1";

    private final UpdateRequest request;
    private final String target;
    private final MachineState machine;
    private final List<MachineTask> tasks;
    private final long ttlSeconds;
    private final Instant now;

    private UpdateDecider(
            UpdateRequest request,
            String target,
            MachineState machine,
            List<MachineTask> tasks,
            long ttlSeconds,
            Instant now) {
        this.request = request;
        this.target = target;
        this.machine = machine;
        this.tasks = tasks;
        this.ttlSeconds = ttlSeconds;
        this.now = now;
    }

    /**
     * Decides.
     *
     * @param target the hash of what is applied
     * @param tasks the tasks of this machine
     * @param ttlSeconds how long an ended task is kept
     */
    static UpdateAnswer decide(
            UpdateRequest request,
            String target,
            MachineState machine,
            List<MachineTask> tasks,
            long ttlSeconds,
            Instant now) {
        if (machine.deleting()) {
            return HELD_BY_DELETION;
        }
        if (!machine.updating()) {
            return new UpdateAnswer.InProgress(HELD_SECONDS, "the Machine is not updated in place any more");
        }
        if (!Objects.equals(machine.version(), request.appliedSpec().version())) {
            // The request is late, or does not come from Cluster API.
            return new UpdateAnswer.InProgress(HELD_SECONDS, "the Machine is to have another version");
        }
        if (!request.describes(machine)) {
            return new UpdateAnswer.InProgress(HELD_SECONDS, "the request lacks an object that describes the Machine");
        }
        return new UpdateDecider(request, target, machine, tasks, ttlSeconds, now).decide();
    }

    private UpdateAnswer decide() {
        MachineTask open = tasks.stream()
                .filter(task -> !task.isFinished())
                .min(Comparator.comparing(MachineTask::name))
                .orElse(null);
        if (open != null) {
            return describe(open, open.target().equals(target) ? "" : ", for an earlier change");
        }
        MachineTask newest = newest(tasks.stream());
        MachineTask last = newest(tasks.stream().filter(task -> task.target().equals(target)));
        if (newest == null || last == null) {
            return create();
        }
        if (!MachineTask.COMPLETED.equals(last.phase())) {
            // What was changed since, and changed back, is tried again.
            return last.equals(newest) ? describeFailed(last) : create();
        }
        if (isAtTarget()) {
            return new UpdateAnswer.Done();
        }
        if (mayShowAnEarlierState(last)) {
            return new UpdateAnswer.InProgress(RUNNING_SECONDS, "UpgradeTask " + last.name() + " has ended");
        }
        // Whatever changes the machine takes this hash away from it first, so only the kubelet's version is late.
        return last.equals(newest) && request.appliedSpec().hasFields() && target.equals(machine.reachedSpec())
                ? new UpdateAnswer.InProgress(
                        HELD_SECONDS,
                        "UpgradeTask " + last.name() + " has completed, and the Machine does not show its version yet;"
                                + " if the node has another one, delete the task")
                : create();
    }

    private static @Nullable MachineTask newest(Stream<MachineTask> some) {
        return some.max(NEWEST_LAST).orElse(null);
    }

    private static UpdateAnswer describeFailed(MachineTask ended) {
        return new UpdateAnswer.Failed("UpgradeTask " + ended.name()
                + (MachineTask.FAILED.equals(ended.phase()) ? " has failed" : " was aborted")
                + "; delete it to try again");
    }

    /** The end of a task is written before the Machine is let go with what it has reached, and Cluster API writes the kubelet's version. */
    private boolean mayShowAnEarlierState(MachineTask ended) {
        return ended.uid().equals(machine.taskUid())
                || (ended.finishedAt() != null
                        && now.isBefore(ended.finishedAt().plus(SHOWN_WITHIN)));
    }

    private boolean isAtTarget() {
        String version = request.appliedSpec().version();
        return version != null
                && version.equals(machine.kubeletVersion())
                && (!request.appliedSpec().hasFields() || target.equals(machine.reachedSpec()));
    }

    /**
     * Describes an open task.
     *
     * @param change says if the Machine is to have something else by now: that is applied when this task has ended
     */
    private static UpdateAnswer describe(MachineTask task, String change) {
        if (task.aborting()) {
            return new UpdateAnswer.InProgress(
                    HELD_SECONDS, "UpgradeTask " + task.name() + " is being aborted" + change);
        }
        if (task.running()) {
            return new UpdateAnswer.InProgress(
                    RUNNING_SECONDS, "UpgradeTask " + task.name() + " upgrades the node" + change);
        }
        return task.gate() == null
                ? new UpdateAnswer.InProgress(RUNNING_SECONDS, "UpgradeTask " + task.name() + " waits" + change)
                : new UpdateAnswer.InProgress(
                        HELD_SECONDS, "UpgradeTask " + task.name() + " waits at gate " + task.gate() + change);
    }

    private UpdateAnswer create() {
        int round = 1 + tasks.stream().mapToInt(MachineTask::round).max().orElse(0);
        String name = nameOf(round);
        return new UpdateAnswer.CreateTask(
                name,
                round,
                new JsonObjectReader.Builder()
                        .put("apiVersion", API_VERSION)
                        .put("kind", "UpgradeTask")
                        .put("metadata", metadata(name, round))
                        .put(
                                "spec",
                                new JsonObjectReader.Builder()
                                        .put("clusterName", request.clusterName())
                                        .put("machines", List.of(request.machine()))
                                        .put("target", targetOfTask())
                                        .put("ttlSecondsAfterFinished", ttlSeconds)
                                        .build())
                        .build());
    }

    private JsonObjectReader metadata(String name, int round) {
        return new JsonObjectReader.Builder()
                .put("name", name)
                .put("namespace", request.namespace())
                .put(
                        "labels",
                        new JsonObjectReader.Builder()
                                .put(MachineTask.MACHINE_UID, machine.uid())
                                .build())
                .put(
                        "annotations",
                        new JsonObjectReader.Builder()
                                .put(MachineTask.TARGET, target)
                                .put(MachineTask.ROUND, Integer.toString(round))
                                .build())
                .build();
    }

    private JsonObjectReader targetOfTask() {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder();
        String version = request.appliedSpec().version();
        if (version != null) {
            json.put("version", version);
        }
        if (request.appliedSpec().hasFields()) {
            JsonObjectReader.Builder machineSpec = new JsonObjectReader.Builder().put("hash", target);
            if (machine.bootstrapRef() != null) {
                machineSpec.put("bootstrapRef", machine.bootstrapRef());
            }
            if (machine.infrastructureRef() != null) {
                machineSpec.put("infrastructureRef", machine.infrastructureRef());
            }
            json.put("machineSpec", machineSpec.build());
        }
        return json.build();
    }

    /**
     * A machine that was created again under its name has other tasks, so the uid is in the hash. The target is not: of two that are to be
     * created at once for different targets, one name is taken.
     */
    private String nameOf(int round) {
        String machineName = request.machine();
        String prefix = machineName
                .substring(0, Math.min(machineName.length(), MAX_PREFIX))
                .replaceAll("[^a-z0-9]+$", "");
        return prefix + "-" + hashOf(machine.uid()) + (round == 1 ? "" : "-" + round);
    }

    private static String hashOf(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, NAME_HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
