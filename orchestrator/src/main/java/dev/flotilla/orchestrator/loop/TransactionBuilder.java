package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One transaction on its way: the decisions, in bytes, and whether another one still fits. */
final class TransactionBuilder {
    /** A decision more may write so many rows, each in a partition of its own. */
    private static final int ROOM_FOR_ONE = 8;

    /** And so many bytes: a journal record and what it says once more as rows, each as large as any record may be. */
    private static final int BYTES_FOR_ONE = 2 * TopicCatalogue.MAX_MESSAGE_BYTES;

    /** A head row says how far each of a site's partitions is read and written. */
    private static final int BYTES_OF_HEAD = 1_024;

    /** About a quarter of a mebibyte: encoding and hashing it takes a few milliseconds. */
    private static final int CHECKPOINTS = 2;

    private final TransactionLimits transactionLimits;
    private final HeadRowWriter headRowWriter;
    private final DecisionBatch batch;
    private final List<WireRecord> journal = new ArrayList<>();
    private final Map<RowKey, WireRecord> rows = new HashMap<>();
    private final Set<TablePartition> places = new HashSet<>();
    private int bytes;
    private int checkpoints;
    private boolean commands;
    private boolean sealed;

    TransactionBuilder(
            TransactionLimits transactionLimits, HeadRowWriter headRowWriter, FleetState state, String leader) {
        this.transactionLimits = transactionLimits;
        this.headRowWriter = headRowWriter;
        this.batch = new DecisionBatch(state, leader);
        places.add(TablePartition.of(Table.JOURNAL));
        places.add(TablePartition.of(Table.HEAD));
    }

    /**
     * Adds a decision, all of it or nothing.
     *
     * @throws DecisionTooLargeException where Kafka would refuse one of its records
     */
    void add(Decision decision) {
        JournalRecord said = DecisionBatch.journalRecordOf(decision, headRowWriter.journalHash());
        WireRecordCodec.JournalWireRecords journalWireRecords = WireRecordCodec.encodeJournalRecord(said);
        requireTaken(decision, journalWireRecords);
        batch.add(decision, said);
        headRowWriter.recordDecision(decision);
        headRowWriter.addJournalBytes(JournalHashChain.sizeOf(journal(journalWireRecords.journal())));
        for (int i = 0; i < journalWireRecords.changes().size(); i++) {
            row(said.changes().get(i).rowKey(), journalWireRecords.changes().get(i));
        }
    }

    private void requireTaken(Decision decision, WireRecordCodec.JournalWireRecords journalWireRecords) {
        requireTaken(decision, journalWireRecords.journal());
        for (WireRecord row : journalWireRecords.changes()) {
            requireTaken(decision, row);
        }
    }

    private void requireTaken(Decision decision, WireRecord record) {
        int size = sizeOf(record);
        if (size > transactionLimits.record()) {
            throw new DecisionTooLargeException(decision, record, size, transactionLimits.record());
        }
    }

    private void row(RowKey at, WireRecord told) {
        if (OrchestratorPartitions.isInput(at.table())) {
            return;
        }
        places.add(OrchestratorPartitions.partitionOf(at));
        commands |= at.table() == Table.COMMANDS;
        if (at.table() != Table.HEAD) {
            WireRecord record = placed(at, told);
            WireRecord before = rows.put(at, record);
            bytes += sizeOf(record) - (before == null ? 0 : sizeOf(before));
        }
    }

    private static WireRecord placed(RowKey at, WireRecord record) {
        return new WireRecord(
                record.topic(),
                OrchestratorPartitions.partitionOf(at).partition(),
                record.key(),
                record.value(),
                record.headers());
    }

    /** About what it takes in a batch; keys have few letters that are more than a byte. */
    static int sizeOf(WireRecord record) {
        String key = record.key();
        return JournalHashChain.sizeOf(record) + (key == null ? 0 : key.length());
    }

    /** Rows that stand already, for the journal alone. */
    void addCheckpoint(Decision part, List<RowChange> rows) {
        String previous = headRowWriter.journalHash();
        headRowWriter.recordDecision(part);
        JournalRecord said = new JournalRecord(
                part.seq(),
                part.at(),
                part.event().label(),
                String.valueOf(part.subject()),
                rows.size() + " rows",
                rows,
                previous);
        batch.addCheckpoint(part, said);
        journal(WireRecordCodec.encode(said, said.seq()));
        checkpoints++;
    }

    private WireRecord journal(WireRecord record) {
        headRowWriter.recordJournalHash(JournalHashChain.hashOf(record));
        journal.add(record);
        bytes += sizeOf(record);
        return record;
    }

    /** Whether more rows of a checkpoint may go with it: few do, so that no decision waits long for them. */
    boolean hasRoomForCheckpoint() {
        return hasRoom() && checkpoints < CHECKPOINTS;
    }

    /** Whether anybody waits for it, and does not only hear of it. */
    boolean isUrgent() {
        return commands || checkpoints >= CHECKPOINTS;
    }

    /** What it holds is all it may: its last record is a cut. */
    void seal() {
        sealed = true;
    }

    boolean isEmpty() {
        return journal.isEmpty();
    }

    /** Whether another decision surely fits; one alone is never refused. */
    boolean hasRoom() {
        if (sealed || isEmpty()) {
            return !sealed;
        }
        int heads = headRowWriter.headRowsDue();
        return batch.rows().size() + journal.size() + heads + ROOM_FOR_ONE <= transactionLimits.records()
                && bytes + heads * BYTES_OF_HEAD + BYTES_FOR_ONE <= transactionLimits.bytes()
                && places.size() + ROOM_FOR_ONE <= transactionLimits.partitions();
    }

    List<Decision> decisions() {
        return batch.decisions();
    }

    /** The head rows are stamped, and all of it is ready to be sent but what a site's topics cannot take now. */
    List<WireRecord> buildRecords(SuspendedSiteRows suspendedSiteRows) {
        headRowWriter.writeHeadRows(batch);
        List<WireRecord> records = new ArrayList<>(batch.rows().size() + journal.size());
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            WireRecord record = rows.get(row.getKey());
            if (record == null) {
                record = placed(row.getKey(), WireRecordCodec.encode(row.getValue(), batch.seq(row.getKey())));
            }
            if (!suspendedSiteRows.withholdIfSuspended(row.getKey(), record)) {
                records.add(record);
            }
        }
        records.addAll(journal);
        return records;
    }
}
