package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.core.leader.DecisionTooLargeException;
import dev.flotilla.core.leader.HeadRowWriter;
import dev.flotilla.core.leader.OpenTransaction;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.SuspendedSiteRows;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds one transaction: the encoded decisions, and whether another one fits. */
final class TransactionBuilder implements OpenTransaction {
    /** Rows that one more decision may write, each in its own partition. */
    private static final int ROWS_PER_DECISION = 8;

    /**
     * Bytes that one more decision may add: a journal record and the same content as rows, each as large as a record
     * may be.
     */
    private static final int BYTES_PER_DECISION = 2 * TopicCatalogue.MAX_MESSAGE_BYTES;

    /** A head row holds how far each of a site's partitions is read and written. */
    private static final int BYTES_PER_HEAD_ROW = 1_024;

    /** About a quarter of a mebibyte: encoding and hashing it takes a few milliseconds. */
    private static final int MAX_CHECKPOINT_PARTS = 2;

    private final TransactionLimits transactionLimits;
    private final HeadRowWriter headRowWriter;
    private final DecisionBatch batch;
    private final TransactionTraces traces;
    private final List<WireRecord> journal = new ArrayList<>();
    private final Map<RowKey, WireRecord> rows = new HashMap<>();
    private final Set<TablePartition> partitions = new HashSet<>();
    private int bytes;
    private int checkpointParts;
    private boolean hasCommands;
    private boolean sealed;

    TransactionBuilder(
            TransactionLimits transactionLimits,
            HeadRowWriter headRowWriter,
            FleetState state,
            String leader,
            boolean traced) {
        this.transactionLimits = transactionLimits;
        this.headRowWriter = headRowWriter;
        this.batch = new DecisionBatch(state, leader);
        this.traces = new TransactionTraces(state, traced);
        partitions.add(TablePartition.of(Table.JOURNAL));
        partitions.add(TablePartition.of(Table.HEAD));
    }

    @Override
    public void add(Decision decision) {
        JournalRecord journalRecord = DecisionBatch.journalRecordOf(decision, headRowWriter.journalHash());
        WireRecordCodec.JournalWireRecords journalWireRecords = WireRecordCodec.encodeJournalRecord(journalRecord);
        requireFits(decision, journalWireRecords);
        batch.add(decision, journalRecord);
        headRowWriter.recordDecision(decision);
        headRowWriter.addJournalBytes(JournalHashChain.sizeOf(addJournalRecord(journalWireRecords.journal())));
        for (int i = 0; i < journalWireRecords.changes().size(); i++) {
            RowChange change = journalRecord.changes().get(i);
            addRow(
                    change.rowKey(),
                    traces.addTrace(
                            decision, change, journalWireRecords.changes().get(i)));
        }
    }

    private void requireFits(Decision decision, WireRecordCodec.JournalWireRecords journalWireRecords) {
        requireFits(decision, journalWireRecords.journal());
        for (WireRecord row : journalWireRecords.changes()) {
            requireFits(decision, row);
        }
    }

    private void requireFits(Decision decision, WireRecord record) {
        int size = sizeOf(record);
        if (size > transactionLimits.record()) {
            throw new DecisionTooLargeException("decision makes a record of " + size + " bytes in topic "
                    + record.topic() + (record.key() == null ? "" : ", key " + record.key()) + " ("
                    + decision.event().label() + " " + decision.subject() + "); the limit is "
                    + transactionLimits.record() + " bytes");
        }
    }

    private void addRow(RowKey key, WireRecord encoded) {
        if (OrchestratorPartitions.isInput(key.table())) {
            return;
        }
        partitions.add(OrchestratorPartitions.partitionOf(key));
        hasCommands |= key.table() == Table.COMMANDS;
        if (key.table() != Table.HEAD) {
            WireRecord record = withPartition(key, encoded);
            WireRecord before = rows.put(key, record);
            bytes += sizeOf(record) - (before == null ? 0 : sizeOf(before));
        }
    }

    private static WireRecord withPartition(RowKey key, WireRecord record) {
        return record.withPartition(OrchestratorPartitions.partitionOf(key).partition());
    }

    /** The approximate size of a record in a batch; few characters of keys take more than a byte. */
    static int sizeOf(WireRecord record) {
        String key = record.key();
        return JournalHashChain.sizeOf(record) + (key == null ? 0 : key.length());
    }

    /** Adds rows that exist already, to the journal only. */
    void addCheckpoint(Decision part, List<RowChange> rows) {
        String previous = headRowWriter.journalHash();
        headRowWriter.recordDecision(part);
        JournalRecord journalRecord = new JournalRecord(
                part.seq(),
                part.at(),
                part.event().label(),
                String.valueOf(part.subject()),
                rows.size() + " rows",
                rows,
                previous);
        batch.addCheckpoint(part, journalRecord);
        addJournalRecord(WireRecordCodec.encode(journalRecord, journalRecord.seq()));
        checkpointParts++;
    }

    private WireRecord addJournalRecord(WireRecord record) {
        headRowWriter.recordJournalHash(JournalHashChain.hashOf(record));
        journal.add(record);
        bytes += sizeOf(record);
        return record;
    }

    /** Whether more checkpoint rows fit: few are added, so that no decision waits long for them. */
    boolean hasRoomForCheckpoint() {
        return hasRoom() && checkpointParts < MAX_CHECKPOINT_PARTS;
    }

    /** Whether a worker or a chapter waits for the commit. */
    boolean isUrgent() {
        return hasCommands || checkpointParts >= MAX_CHECKPOINT_PARTS;
    }

    /** Allows nothing more to be added: the last record starts a chapter. */
    void seal() {
        sealed = true;
    }

    boolean isEmpty() {
        return journal.isEmpty();
    }

    @Override
    public boolean hasRoom() {
        if (sealed || isEmpty()) {
            return !sealed;
        }
        int heads = headRowWriter.headRowsDue();
        return batch.rows().size() + journal.size() + heads + ROWS_PER_DECISION <= transactionLimits.records()
                && bytes + heads * BYTES_PER_HEAD_ROW + BYTES_PER_DECISION <= transactionLimits.bytes()
                && partitions.size() + ROWS_PER_DECISION <= transactionLimits.partitions();
    }

    List<Decision> decisions() {
        return batch.decisions();
    }

    /** The attempts that the decisions have ended; none without traces. */
    List<EndedAttempt> endedAttempts() {
        return traces.endedAttempts();
    }

    /** Writes the head rows and returns all records to be sent, except withheld rows of suspended sites. */
    List<WireRecord> buildRecords(SuspendedSiteRows<WireRecord> suspendedSiteRows) {
        headRowWriter.writeHeadRows(batch);
        List<WireRecord> records = new ArrayList<>(batch.rows().size() + journal.size());
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            WireRecord record = rows.get(row.getKey());
            if (record == null) {
                record = withPartition(row.getKey(), WireRecordCodec.encode(row.getValue(), batch.seq(row.getKey())));
            }
            if (!suspendedSiteRows.withholdIfSuspended(row.getValue(), record)) {
                records.add(record);
            }
        }
        records.addAll(journal);
        return records;
    }
}
