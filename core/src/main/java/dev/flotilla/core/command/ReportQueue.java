package dev.flotilla.core.command;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A partition's reports that wait for their transaction, and those that are committed or may be. A later report about a
 * machine replaces one that waits.
 */
final class ReportQueue {
    /** Most reports in one transaction. */
    static final int MAX_BATCH = 500;

    private final Map<MachineKey, AttemptProgress> waiting = new LinkedHashMap<>();
    /** Reports of transactions whose outcome is unknown. */
    private final List<AttemptProgress> uncertain = new ArrayList<>();

    private final Map<MachineKey, AttemptProgress> committed = new LinkedHashMap<>();

    static boolean isPermit(AttemptReport report) {
        return report instanceof AttemptReport.StepReached step && step.step() == AttemptStep.STARTING;
    }

    void enqueue(AttemptProgress progress) {
        waiting.put(progress.key(), progress);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    List<AttemptProgress> nextBatch() {
        return waiting.values().stream().limit(MAX_BATCH).toList();
    }

    void batchCommitted(List<AttemptProgress> batch) {
        for (AttemptProgress progress : batch) {
            committed.put(progress.key(), progress);
            waiting.remove(progress.key(), progress);
        }
    }

    /** Remembers reports that are committed or not: the partition will show it. They wait on. */
    void batchUncertain(List<AttemptProgress> batch) {
        uncertain.addAll(batch);
    }

    /** Drops the call permits that wait: each counts only in the session in which it was requested. */
    void dropPermits() {
        waiting.values().removeIf(progress -> isPermit(progress.report()));
    }

    void dropWaiting(MachineKey key) {
        waiting.remove(key);
    }

    @Nullable
    AttemptProgress lastCommitted(MachineKey key) {
        return committed.get(key);
    }

    /** Whether no other worker has reported about a machine since this worker's last commit. */
    boolean isOwnReport(MachineKey key, @Nullable AttemptProgress lastReport) {
        return Objects.equals(lastReport, committed.get(key)) || (lastReport != null && uncertain.contains(lastReport));
    }

    /**
     * Adds the committed reports that the partition does not show any more. They were lost with its topic, and are
     * written again.
     */
    Map<MachineKey, AttemptProgress> restoreLost(Map<MachineKey, AttemptProgress> lastReports) {
        Map<MachineKey, AttemptProgress> complete = new LinkedHashMap<>(lastReports);
        committed.forEach((key, progress) -> {
            if (complete.putIfAbsent(key, progress) == null) {
                waiting.putIfAbsent(key, progress);
            }
        });
        return complete;
    }

    /** Sets the last report about each machine, whichever worker wrote it. */
    void resetCommitted(Map<MachineKey, AttemptProgress> lastReports) {
        committed.clear();
        committed.putAll(lastReports);
        uncertain.clear();
    }

    void clear() {
        waiting.clear();
    }
}
