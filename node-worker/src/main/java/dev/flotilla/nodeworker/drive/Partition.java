package dev.flotilla.nodeworker.drive;

import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
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
final class Partition {
    /** So many words go into one transaction. */
    private static final int MOST_WORDS = 500;

    private final TablePartition commands;
    private final TablePartition progress;
    private final Desk desk;
    private final Map<MachineKey, Drive> drives = new LinkedHashMap<>();
    private final Map<MachineKey, AttemptProgress> words = new LinkedHashMap<>();
    private final List<AttemptProgress> inDoubt = new ArrayList<>();
    private Map<MachineKey, AttemptProgress> told = new LinkedHashMap<>();
    private Session session = new Session(null);

    Partition(SiteId site, int number, Desk desk) {
        this.commands = new TablePartition(Table.COMMANDS, site, number);
        this.progress = new TablePartition(Table.PROGRESS, site, number);
        this.desk = desk;
    }

    /** A producer's session, the only one in which its licences count. */
    static final class Session {
        private final @Nullable TransactionalRowWriter writer;
        private volatile boolean open;

        Session(@Nullable TransactionalRowWriter writer) {
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

    TablePartition commands() {
        return commands;
    }

    TablePartition progress() {
        return progress;
    }

    Session session() {
        return session;
    }

    int attempts() {
        return (int) drives.values().stream().filter(drive -> !drive.isOver()).count();
    }

    /**
     * A new session, in which nobody else writes: the tables are read to their ends. Whom somebody else has driven in
     * between is taken up anew, from what was said last.
     */
    void open(TransactionalRowWriter writer, Tables.Whole now) {
        closeSession();
        session = new Session(writer);
        sayAgainWhatIsLost(now.told());
        dropWhatOthersDrove(now.told());
        told = now.told();
        List.copyOf(drives.keySet()).stream()
                .filter(key -> now.commands().get(key) == null)
                .forEach(key -> commanded(key, null));
        now.commands().forEach(this::commanded);
    }

    /** Nobody takes a word back: one that is not there any more was lost with its topic. */
    private void sayAgainWhatIsLost(Map<MachineKey, AttemptProgress> nowTold) {
        told.forEach((key, word) -> {
            if (nowTold.putIfAbsent(key, word) == null) {
                words.putIfAbsent(key, word);
            }
        });
    }

    private void dropWhatOthersDrove(Map<MachineKey, AttemptProgress> nowTold) {
        Iterator<Map.Entry<MachineKey, Drive>> each = drives.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<MachineKey, Drive> drive = each.next();
            AttemptProgress now = nowTold.get(drive.getKey());
            boolean ours = now == null
                    ? told.get(drive.getKey()) == null
                    : now.equals(told.get(drive.getKey())) || inDoubt.contains(now);
            if (!ours) {
                drive.getValue().stop();
                words.remove(drive.getKey());
                each.remove();
            }
        }
        inDoubt.clear();
    }

    /** The newest word of the orchestrator about a machine; null for none any more. */
    void commanded(MachineKey key, @Nullable WorkerCommand command) {
        Drive drive = drives.get(key);
        if (command != null && drive != null && drive.errand().attempt() == command.attemptId()) {
            drive.commanded(command);
            return;
        }
        if (drive != null) {
            drives.remove(key);
            words.remove(key);
            if (command == null) {
                drive.abandon();
            } else {
                drive.stop();
            }
        }
        if (command != null) {
            Drive next = new Drive(this, desk, command);
            drives.put(key, next);
            next.begin(told.get(key));
        }
    }

    void say(Drive drive, AttemptReport report) {
        Errand errand = drive.errand();
        if (drives.get(errand.key()) == drive) {
            words.put(
                    errand.key(),
                    new AttemptProgress(
                            errand.key(),
                            errand.uid(),
                            errand.attempt(),
                            report,
                            Instant.ofEpochMilli(desk.time().clock())));
        }
    }

    /** Writes what there is to say. Where it cannot tell what came of it the session is over. */
    void flush() {
        TransactionalRowWriter writer = session.writer;
        if (writer == null || !session.isOpen() || words.isEmpty()) {
            return;
        }
        List<AttemptProgress> batch = words.values().stream().limit(MOST_WORDS).toList();
        try {
            writer.begin();
            batch.forEach(word -> writer.send(record(word)));
            desk.time().appended(writer.commit().newestAppendedAt());
        } catch (KafkaFailure failed) {
            inDoubt.addAll(batch);
            closeSession();
            throw failed;
        }
        for (AttemptProgress word : batch) {
            told.put(word.key(), word);
            words.remove(word.key(), word);
            Drive drive = drives.get(word.key());
            if (drive != null) {
                drive.written(word.report());
            }
        }
    }

    private WireRecord record(AttemptProgress word) {
        WireRecord record = WireRecordCodec.encode(word);
        return new WireRecord(record.topic(), progress.partition(), record.key(), record.value(), record.headers());
    }

    /** No licence of this session may be used any more; what has begun goes on. */
    void closeSession() {
        if (session.isOpen()) {
            session.close();
            words.values()
                    .removeIf(word -> word.report() instanceof AttemptReport.StepReached step && step.step() == AttemptStep.STARTING);
            List.copyOf(drives.values()).forEach(Drive::sessionEnded);
        }
    }

    /** It is going to be somebody else's. */
    void handOver() {
        drives.values().forEach(Drive::handOver);
    }

    /** Whether whoever comes next finds in the log all that is known here. */
    boolean isSettled() {
        return !session.isOpen() || (words.isEmpty() && drives.values().stream().allMatch(Drive::isSettled));
    }

    /** It is somebody else's. */
    void lose() {
        session.close();
        drives.values().forEach(Drive::lose);
        drives.clear();
        words.clear();
    }
}
