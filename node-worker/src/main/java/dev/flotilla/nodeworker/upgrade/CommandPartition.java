package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the site's commands that this worker owns, with its machine upgrades and their reports. Reports wait
 * while Kafka is unavailable; a later one of the same machine replaces an earlier one.
 */
final class CommandPartition {
    /** Most reports in one transaction. */
    private static final int MAX_REPORTS = 500;

    private final TablePartition commandPartition;
    private final TablePartition progressPartition;
    private final WorkerLoopContext workerLoopContext;
    private final Map<MachineKey, MachineUpgrade> upgrades = new LinkedHashMap<>();
    private final Map<MachineKey, AttemptProgress> pendingReports = new LinkedHashMap<>();
    private final List<AttemptProgress> uncertainReports = new ArrayList<>();
    private Map<MachineKey, AttemptProgress> lastCommitted = new LinkedHashMap<>();
    private CallPermitSession session = new CallPermitSession(null);

    CommandPartition(SiteId site, int number, WorkerLoopContext workerLoopContext) {
        this.commandPartition = new TablePartition(Table.COMMANDS, site, number);
        this.progressPartition = new TablePartition(Table.PROGRESS, site, number);
        this.workerLoopContext = workerLoopContext;
    }

    /** A producer's session. Call permits count only in the session that has committed them. */
    static final class CallPermitSession {
        private final @Nullable TransactionalRowWriter writer;
        private volatile boolean open;

        CallPermitSession(@Nullable TransactionalRowWriter writer) {
            this.writer = writer;
            this.open = writer != null;
        }

        /** May be called on any thread. */
        boolean isOpen() {
            return open;
        }

        private void close() {
            open = false;
            if (writer != null) {
                writer.close();
            }
        }
    }

    TablePartition commandPartition() {
        return commandPartition;
    }

    TablePartition progressPartition() {
        return progressPartition;
    }

    CallPermitSession session() {
        return session;
    }

    int countAttempts() {
        return (int) upgrades.values().stream()
                .filter(machineUpgrade -> !machineUpgrade.hasEnded())
                .count();
    }

    /**
     * Opens a session, in which no other worker writes. The tables have been read to their ends. An upgrade that
     * another worker has continued in between is restarted from its last report.
     */
    void openSession(TransactionalRowWriter writer, CommandReader.CommandSnapshot now) {
        closeSession();
        session = new CallPermitSession(writer);
        resendLostReports(now.lastProgress());
        dropTakenOver(now.lastProgress());
        lastCommitted = now.lastProgress();
        List.copyOf(upgrades.keySet()).stream()
                .filter(key -> now.commands().get(key) == null)
                .forEach(key -> onCommandChanged(key, null));
        now.commands().forEach(this::onCommandChanged);
    }

    /** Sends reports again that were committed and are missing now: they were lost with their topic. */
    private void resendLostReports(Map<MachineKey, AttemptProgress> lastProgress) {
        lastCommitted.forEach((key, progress) -> {
            if (lastProgress.putIfAbsent(key, progress) == null) {
                pendingReports.putIfAbsent(key, progress);
            }
        });
    }

    private void dropTakenOver(Map<MachineKey, AttemptProgress> lastProgress) {
        Iterator<Map.Entry<MachineKey, MachineUpgrade>> iterator =
                upgrades.entrySet().iterator();
        while (iterator.hasNext()) {
            Map.Entry<MachineKey, MachineUpgrade> upgrade = iterator.next();
            AttemptProgress now = lastProgress.get(upgrade.getKey());
            boolean ours = now == null
                    ? lastCommitted.get(upgrade.getKey()) == null
                    : now.equals(lastCommitted.get(upgrade.getKey())) || uncertainReports.contains(now);
            if (!ours) {
                upgrade.getValue().stopUpgrade();
                pendingReports.remove(upgrade.getKey());
                iterator.remove();
            }
        }
        uncertainReports.clear();
    }

    /** Handles the newest command for a machine; null if it was removed. */
    void onCommandChanged(MachineKey key, @Nullable WorkerCommand command) {
        MachineUpgrade machineUpgrade = upgrades.get(key);
        if (command != null
                && machineUpgrade != null
                && machineUpgrade.parameters().attemptId() == command.attemptId()) {
            machineUpgrade.onCommandChanged(command);
            return;
        }
        if (machineUpgrade != null) {
            upgrades.remove(key);
            pendingReports.remove(key);
            if (command == null) {
                machineUpgrade.cleanUpAbandoned();
            } else {
                machineUpgrade.stopUpgrade();
            }
        }
        if (command != null) {
            MachineUpgrade next = new MachineUpgrade(this, workerLoopContext, command);
            upgrades.put(key, next);
            next.startUpgrade(lastCommitted.get(key));
        }
    }

    void enqueueReport(MachineUpgrade machineUpgrade, AttemptReport report) {
        UpgradeAttemptParameters upgradeAttemptParameters = machineUpgrade.parameters();
        if (upgrades.get(upgradeAttemptParameters.key()) == machineUpgrade) {
            pendingReports.put(
                    upgradeAttemptParameters.key(),
                    new AttemptProgress(
                            upgradeAttemptParameters.key(),
                            upgradeAttemptParameters.uid(),
                            upgradeAttemptParameters.attemptId(),
                            report,
                            Instant.ofEpochMilli(workerLoopContext.clock().wallMillis())));
        }
    }

    /** Writes the waiting reports. If the outcome of the transaction is unknown, the session ends. */
    void flushReports() {
        TransactionalRowWriter writer = session.writer;
        if (writer == null || !session.isOpen() || pendingReports.isEmpty()) {
            return;
        }
        List<AttemptProgress> batch =
                pendingReports.values().stream().limit(MAX_REPORTS).toList();
        try {
            writer.begin();
            batch.forEach(progress -> writer.send(encodeReport(progress)));
            workerLoopContext.clock().observeAppendTime(writer.commit().newestAppendedAt());
        } catch (KafkaFailure failed) {
            uncertainReports.addAll(batch);
            closeSession();
            throw failed;
        }
        for (AttemptProgress progress : batch) {
            lastCommitted.put(progress.key(), progress);
            pendingReports.remove(progress.key(), progress);
            MachineUpgrade machineUpgrade = upgrades.get(progress.key());
            if (machineUpgrade != null) {
                machineUpgrade.onReportCommitted(progress.report());
            }
        }
    }

    private WireRecord encodeReport(AttemptProgress progress) {
        WireRecord record = WireRecordCodec.encode(progress);
        return new WireRecord(
                record.topic(), progressPartition.partition(), record.key(), record.value(), record.headers());
    }

    /** Ends the session: its call permits count no more. Running upgrades continue. */
    void closeSession() {
        if (session.isOpen()) {
            session.close();
            pendingReports
                    .values()
                    .removeIf(progress -> progress.report() instanceof AttemptReport.StepReached step
                            && step.step() == AttemptStep.STARTING);
            List.copyOf(upgrades.values()).forEach(MachineUpgrade::onSessionEnded);
        }
    }

    /** Prepares the partition for another worker. */
    void handOver() {
        upgrades.values().forEach(MachineUpgrade::handOver);
    }

    /** Whether the log contains all that the next owner must know. */
    boolean isSettled() {
        return !session.isOpen()
                || (pendingReports.isEmpty() && upgrades.values().stream().allMatch(MachineUpgrade::isSettled));
    }

    /** Drops the partition, which another worker owns now. */
    void dropAll() {
        session.close();
        upgrades.values().forEach(MachineUpgrade::onPartitionLost);
        upgrades.clear();
        pendingReports.clear();
    }
}
