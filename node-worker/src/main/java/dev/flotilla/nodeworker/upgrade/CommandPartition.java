package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.nodeworker.node.UpgradeAttemptParameters;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the site's commands while it is ours, its drives, and what they have to say. Words wait while Kafka is away;
 * a later one of a drive takes the place of an earlier one.
 */
final class CommandPartition {
    /** So many words go into one transaction. */
    private static final int MOST_WORDS = 500;

    private final TablePartition commandPartition;
    private final TablePartition progressPartition;
    private final WorkerLoopContext workerLoopContext;
    private final Map<MachineKey, MachineUpgrade> upgrades = new LinkedHashMap<>();
    private final Map<MachineKey, AttemptProgress> pendingReports = new LinkedHashMap<>();
    private final List<AttemptProgress> uncertainReports = new ArrayList<>();
    private Map<MachineKey, AttemptProgress> lastCommitted = new LinkedHashMap<>();
    private CallPermitSession callPermitSession = new CallPermitSession(null);

    CommandPartition(SiteId site, int number, WorkerLoopContext workerLoopContext) {
        this.commandPartition = new TablePartition(Table.COMMANDS, site, number);
        this.progressPartition = new TablePartition(Table.PROGRESS, site, number);
        this.workerLoopContext = workerLoopContext;
    }

    /** A producer's session, the only one in which its licences count. */
    static final class CallPermitSession {
        private final @Nullable TransactionalRowWriter writer;
        private volatile boolean open;

        CallPermitSession(@Nullable TransactionalRowWriter writer) {
            this.writer = writer;
            this.open = writer != null;
        }

        /** Asked on any thread. */
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
        return callPermitSession;
    }

    int countAttempts() {
        return (int) upgrades.values().stream()
                .filter(machineUpgrade -> !machineUpgrade.hasEnded())
                .count();
    }

    /**
     * A new session, in which nobody else writes: the tables are read to their ends. Whom somebody else has driven in
     * between is taken up anew, from what was said last.
     */
    void openSession(TransactionalRowWriter writer, CommandReader.CommandSnapshot now) {
        closeSession();
        callPermitSession = new CallPermitSession(writer);
        resendLostReports(now.lastProgress());
        dropTakenOver(now.lastProgress());
        lastCommitted = now.lastProgress();
        List.copyOf(upgrades.keySet()).stream()
                .filter(key -> now.commands().get(key) == null)
                .forEach(key -> onCommandChanged(key, null));
        now.commands().forEach(this::onCommandChanged);
    }

    /** Nobody takes a word back: one that is not there any more was lost with its topic. */
    private void resendLostReports(Map<MachineKey, AttemptProgress> nowTold) {
        lastCommitted.forEach((key, word) -> {
            if (nowTold.putIfAbsent(key, word) == null) {
                pendingReports.putIfAbsent(key, word);
            }
        });
    }

    private void dropTakenOver(Map<MachineKey, AttemptProgress> nowTold) {
        Iterator<Map.Entry<MachineKey, MachineUpgrade>> each =
                upgrades.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<MachineKey, MachineUpgrade> drive = each.next();
            AttemptProgress now = nowTold.get(drive.getKey());
            boolean ours = now == null
                    ? lastCommitted.get(drive.getKey()) == null
                    : now.equals(lastCommitted.get(drive.getKey())) || uncertainReports.contains(now);
            if (!ours) {
                drive.getValue().stopUpgrade();
                pendingReports.remove(drive.getKey());
                each.remove();
            }
        }
        uncertainReports.clear();
    }

    /** The newest word of the orchestrator about a machine; null for none any more. */
    void onCommandChanged(MachineKey key, @Nullable WorkerCommand command) {
        MachineUpgrade machineUpgrade = upgrades.get(key);
        if (command != null
                && machineUpgrade != null
                && machineUpgrade.upgradeRequest().attemptId() == command.attemptId()) {
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
        UpgradeAttemptParameters upgradeAttemptParameters = machineUpgrade.upgradeRequest();
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

    /** Writes what there is to say. Where it cannot tell what came of it the session is over. */
    void flushReports() {
        TransactionalRowWriter writer = callPermitSession.writer;
        if (writer == null || !callPermitSession.isOpen() || pendingReports.isEmpty()) {
            return;
        }
        List<AttemptProgress> batch =
                pendingReports.values().stream().limit(MOST_WORDS).toList();
        try {
            writer.begin();
            batch.forEach(word -> writer.send(record(word)));
            workerLoopContext.clock().observeAppendTime(writer.commit().newestAppendedAt());
        } catch (KafkaFailure failed) {
            uncertainReports.addAll(batch);
            closeSession();
            throw failed;
        }
        for (AttemptProgress word : batch) {
            lastCommitted.put(word.key(), word);
            pendingReports.remove(word.key(), word);
            MachineUpgrade machineUpgrade = upgrades.get(word.key());
            if (machineUpgrade != null) {
                machineUpgrade.onReportCommitted(word.report());
            }
        }
    }

    private WireRecord record(AttemptProgress word) {
        WireRecord record = WireRecordCodec.encode(word);
        return new WireRecord(
                record.topic(), progressPartition.partition(), record.key(), record.value(), record.headers());
    }

    /** No licence of this session may be used any more; what has begun goes on. */
    void closeSession() {
        if (callPermitSession.isOpen()) {
            callPermitSession.close();
            pendingReports
                    .values()
                    .removeIf(word -> word.report() instanceof AttemptReport.StepReached step
                            && step.step() == AttemptStep.STARTING);
            List.copyOf(upgrades.values()).forEach(MachineUpgrade::onSessionEnded);
        }
    }

    /** It is going to be somebody else's. */
    void handOver() {
        upgrades.values().forEach(MachineUpgrade::handOver);
    }

    /** Whether whoever comes next finds in the log all that is known here. */
    boolean isSettled() {
        return !callPermitSession.isOpen()
                || (pendingReports.isEmpty() && upgrades.values().stream().allMatch(MachineUpgrade::isSettled));
    }

    /** It is somebody else's. */
    void dropAll() {
        callPermitSession.close();
        upgrades.values().forEach(MachineUpgrade::onPartitionLost);
        upgrades.clear();
        pendingReports.clear();
    }
}
