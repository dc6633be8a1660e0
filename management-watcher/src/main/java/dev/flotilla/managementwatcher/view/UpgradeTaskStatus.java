package dev.flotilla.managementwatcher.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of an UpgradeTask.
 *
 * @param phase null before the first write
 * @param machines by name
 * @param observedVersion version that all its machines have reached; null for none
 */
public record UpgradeTaskStatus(
        @Nullable TaskPhase phase,
        TaskCounts counts,
        List<TaskMachineStatus> machines,
        @Nullable String observedVersion,
        @Nullable Instant finishedAt,
        List<TaskCondition> conditions,
        long observedGeneration) {
    /** Most machines that are listed; all are counted. */
    public static final int MAX_MACHINES = 1_000;

    public static final UpgradeTaskStatus NONE =
            new UpgradeTaskStatus(null, TaskCounts.NONE, List.of(), null, null, List.of(), 0);

    /** Condition that is True if the spec is valid and what it names exists. */
    public static final String ACCEPTED = "Accepted";

    /** Condition that is True once all machines are at the target. */
    public static final String COMPLETED = "Completed";

    public UpgradeTaskStatus {
        machines = List.copyOf(machines);
        conditions = List.copyOf(conditions);
    }

    /** How far a task is. */
    public enum TaskPhase {
        WAITING("Waiting", false),
        IN_PROGRESS("InProgress", false),
        COMPLETED("Completed", true),
        FAILED("Failed", true),
        ABORTED("Aborted", true);

        private final String label;
        private final boolean last;

        TaskPhase(String label, boolean last) {
            this.label = label;
            this.last = last;
        }

        public String label() {
            return label;
        }

        /** Whether no other phase follows. */
        public boolean isFinal() {
            return last;
        }

        static @Nullable TaskPhase parse(@Nullable String label) {
            for (TaskPhase phase : values()) {
                if (phase.label.equals(label)) {
                    return phase;
                }
            }
            return null;
        }
    }

    /** State of a machine in a task. */
    public enum TaskMachineState {
        WAITING("Waiting", false),
        IN_PROGRESS("InProgress", false),
        SUCCEEDED("Succeeded", true),
        FAILED("Failed", true),
        ABORTED("Aborted", true),
        SKIPPED("Skipped", true);

        private final String label;
        private final boolean ended;

        TaskMachineState(String label, boolean ended) {
            this.label = label;
            this.ended = ended;
        }

        public String label() {
            return label;
        }

        /** Whether the machine has ended in the task. */
        public boolean hasEnded() {
            return ended;
        }

        static @Nullable TaskMachineState parse(@Nullable String label) {
            for (TaskMachineState state : values()) {
                if (state.label.equals(label)) {
                    return state;
                }
            }
            return null;
        }
    }

    /** How many machines are in each state. */
    public record TaskCounts(int total, int waiting, int inProgress, int succeeded, int failed, int skipped) {
        static final TaskCounts NONE = new TaskCounts(0, 0, 0, 0, 0, 0);

        /** Counts machines; an aborted machine counts in the total only. */
        public static TaskCounts of(List<TaskMachineStatus> machines) {
            return new TaskCounts(
                    machines.size(),
                    count(machines, TaskMachineState.WAITING),
                    count(machines, TaskMachineState.IN_PROGRESS),
                    count(machines, TaskMachineState.SUCCEEDED),
                    count(machines, TaskMachineState.FAILED),
                    count(machines, TaskMachineState.SKIPPED));
        }

        private static int count(List<TaskMachineStatus> machines, TaskMachineState state) {
            return (int) machines.stream().filter(each -> each.state() == state).count();
        }
    }

    /**
     * A machine in a task.
     *
     * @param gate the gate that keeps it from starting; null if none is known
     * @param needs what opens the gate
     * @param since when it came into this state
     * @param attempt the latest attempt; null before the first
     * @param observedVersion the Kubernetes version of its node; null if it is unknown
     */
    public record TaskMachineStatus(
            String name,
            TaskMachineState state,
            String reason,
            String message,
            @Nullable String gate,
            @Nullable String needs,
            @Nullable Instant since,
            @Nullable Long attempt,
            @Nullable String observedVersion) {
        /** Returns a copy with the time of the change. */
        public TaskMachineStatus withSince(@Nullable Instant at) {
            return new TaskMachineStatus(name, state, reason, message, gate, needs, at, attempt, observedVersion);
        }

        /** Returns a copy with the version of the node. */
        public TaskMachineStatus withObservedVersion(@Nullable String version) {
            return new TaskMachineStatus(name, state, reason, message, gate, needs, since, attempt, version);
        }
    }

    /** A condition of a task. */
    public record TaskCondition(
            String type,
            String status,
            String reason,
            String message,
            @Nullable Instant since,
            long observedGeneration) {}

    /** Returns the machine of a name; null for none. */
    public @Nullable TaskMachineStatus machine(String name) {
        for (TaskMachineStatus machine : machines) {
            if (machine.name().equals(name)) {
                return machine;
            }
        }
        return null;
    }

    /** Returns the condition of a type; null for none. */
    public @Nullable TaskCondition condition(String type) {
        for (TaskCondition condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }
}
