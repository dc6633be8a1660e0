package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.command.CommandedUpgrade;
import dev.flotilla.core.command.PartitionEffect;
import dev.flotilla.core.command.PartitionSnapshot;
import dev.flotilla.core.command.PartitionUpgrades;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.trace.AttemptTrace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the site's commands that this worker owns: carries out the effects of {@link PartitionUpgrades} and
 * writes its reports.
 */
final class CommandPartition {
    private final TablePartition commandPartition;
    private final TablePartition progressPartition;
    private final WorkerLoopContext workerLoopContext;
    private final PartitionUpgrades partitionUpgrades = new PartitionUpgrades(UpgradeSafeguards.ALL);
    private final AttemptStepTracker attemptSteps = new AttemptStepTracker();
    private final Map<CommandedUpgrade, MachineUpgrade> machineUpgrades = new LinkedHashMap<>();
    private CallPermitSession session = new CallPermitSession(null);

    CommandPartition(SiteId site, int number, WorkerLoopContext workerLoopContext) {
        this.commandPartition = new TablePartition(Table.COMMANDS, site, number);
        this.progressPartition = new TablePartition(Table.PROGRESS, site, number);
        this.workerLoopContext = workerLoopContext;
    }

    /** The writer of a session, and whether the session is open, for all threads. */
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
        return partitionUpgrades.countRunning();
    }

    /** Opens a session, in which no other worker writes. */
    void openSession(TransactionalRowWriter writer, PartitionSnapshot snapshot) {
        closeSession();
        session = new CallPermitSession(writer);
        carryOut(partitionUpgrades.openSession(
                snapshot, workerLoopContext.clock().readClocks()));
    }

    /** Handles the newest command for a machine; null if it was removed. */
    void onCommandChanged(MachineKey key, @Nullable WorkerCommand command) {
        carryOut(partitionUpgrades.handleCommand(
                key, command, workerLoopContext.clock().readClocks()));
    }

    /** Enqueues a report. Returns the next actions of the upgrade. */
    List<UpgradeAction> enqueueReport(CommandedUpgrade upgrade, AttemptReport report) {
        return partitionUpgrades.enqueueReport(
                upgrade, report, workerLoopContext.clock().readClocks());
    }

    /** Writes the waiting reports. If the outcome of the transaction is unknown, the session ends. */
    void flushReports() {
        TransactionalRowWriter writer = session.writer;
        List<AttemptProgress> batch = partitionUpgrades.nextReports();
        if (writer == null || batch.isEmpty()) {
            return;
        }
        try {
            writer.begin();
            batch.forEach(progress -> writer.send(encodeReport(progress)));
            workerLoopContext.clock().observeAppendTime(writer.commit().newestAppendedAt());
        } catch (KafkaFailure failed) {
            session.close();
            carryOut(partitionUpgrades.commitFailed(
                    batch, workerLoopContext.clock().readClocks()));
            throw failed;
        }
        batch.forEach(this::reportEndedStep);
        carryOut(partitionUpgrades.reportsCommitted(batch));
    }

    private void reportEndedStep(AttemptProgress committed) {
        EndedStep endedStep = attemptSteps.reportCommitted(committed);
        if (endedStep != null) {
            workerLoopContext.listener().stepEnded(endedStep);
        }
    }

    private WireRecord encodeReport(AttemptProgress progress) {
        WireRecord record = WireRecordCodec.encode(progress).withPartition(progressPartition.partition());
        return workerLoopContext.traced() && attemptSteps.isTracked(progress)
                ? record.withTrace(AttemptTrace.of(progress.key(), progress.uid(), progress.attemptId()))
                : record;
    }

    /** Ends the session: its call permits count no more. Running upgrades continue. */
    void closeSession() {
        if (session.isOpen()) {
            session.close();
            carryOut(partitionUpgrades.endSession(workerLoopContext.clock().readClocks()));
        }
    }

    /** Prepares the partition for another worker. */
    void handOver() {
        carryOut(partitionUpgrades.handOver(workerLoopContext.clock().readClocks()));
    }

    /** Whether the log contains all that the next owner must know. */
    boolean isSettled() {
        return partitionUpgrades.isSettled();
    }

    /** Drops the partition, which another worker owns now. */
    void dropAll() {
        session.close();
        partitionUpgrades.drop();
        machineUpgrades.values().forEach(MachineUpgrade::onPartitionLost);
        machineUpgrades.clear();
        attemptSteps.clear();
    }

    private void carryOut(List<PartitionEffect> effects) {
        effects.forEach(this::carryOut);
    }

    private void carryOut(PartitionEffect effect) {
        switch (effect) {
            case PartitionEffect.StartUpgrade start -> {
                attemptSteps.upgradeStarted(start.upgrade().firstCommand(), start.lastReport());
                machineUpgrades
                        .computeIfAbsent(
                                start.upgrade(), upgrade -> new MachineUpgrade(this, workerLoopContext, upgrade))
                        .startUpgrade(start.lastReport());
            }
            case PartitionEffect.PerformActions perform ->
                runningUpgrade(perform).perform(perform.actions());
            case PartitionEffect.ReportCommitted committed ->
                runningUpgrade(committed).onReportCommitted(committed.report());
            case PartitionEffect.StopUpgrade stop -> removeUpgrade(stop).stopUpgrade();
            case PartitionEffect.CleanUpAbandoned abandoned ->
                removeUpgrade(abandoned).cleanUpAbandoned();
        }
    }

    private MachineUpgrade runningUpgrade(PartitionEffect effect) {
        return Objects.requireNonNull(machineUpgrades.get(effect.upgrade()));
    }

    private MachineUpgrade removeUpgrade(PartitionEffect effect) {
        attemptSteps.upgradeStopped(effect.upgrade().firstCommand());
        return Objects.requireNonNull(machineUpgrades.remove(effect.upgrade()));
    }
}
