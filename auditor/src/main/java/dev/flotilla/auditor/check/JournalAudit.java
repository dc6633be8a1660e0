package dev.flotilla.auditor.check;

import dev.flotilla.auditor.json.JsonParser;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.json.MalformedJsonException;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.AttemptProgress;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.RawRecord;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.TopicName;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole audit, fed with records. The journal gives the order; each decision is checked on the rows before it, and
 * tables, inputs and workers' reports are compared with the journal whenever they are read.
 *
 * <p>Records of one partition must come in order; partitions may be ahead of each other. Used by one thread.
 */
public final class JournalAudit {
    private final AuditFindings auditFindings;
    private final FleetTables fleetTables = new FleetTables();
    private final AttemptHistories attemptHistories = new AttemptHistories();
    private final ExpectedRecords expectedRecords;
    private final JournalChainRules journalChainRules;
    private final TableConsistencyRules tables;
    private final HeadRowRules heads;
    private final AcceptedInputOriginRules inputs;
    private final AttemptEndRules ends;
    private final WorkerReportQueue workerReportQueue;
    private final LostSiteRows lostSiteRows;
    private final DecisionAudit rules;

    /**
     * Null once the rows are known: from the journal's first record, from a chapter's checkpoint, or from the tables.
     */
    private @Nullable LateJoinSnapshotBuilder base = new LateJoinSnapshotBuilder();

    /** A chapter whose checkpoint is being read, while the rows are not known. */
    private @Nullable StartingCheckpoint startingCheckpoint;

    private boolean live;
    private long headMissedSince = Long.MIN_VALUE;
    private long decisions;
    private int maxInFlight;

    public JournalAudit(Consumer<InvariantViolation> listener) {
        auditFindings = new AuditFindings(listener);
        expectedRecords = new ExpectedRecords(auditFindings);
        journalChainRules = new JournalChainRules(auditFindings);
        tables = new TableConsistencyRules(auditFindings);
        heads = new HeadRowRules(auditFindings, journalChainRules);
        inputs = new AcceptedInputOriginRules(auditFindings, expectedRecords);
        ends = new AttemptEndRules(fleetTables, auditFindings, attemptHistories, expectedRecords);
        workerReportQueue =
                new WorkerReportQueue(new RefreshCallRules(auditFindings, attemptHistories), attemptHistories);
        lostSiteRows = new LostSiteRows(fleetTables, auditFindings, attemptHistories, tables);
        rules = new DecisionAudit(fleetTables, auditFindings, attemptHistories, ends, lostSiteRows);
    }

    /** Processes a record of any topic. */
    public void process(RawRecord record) {
        TopicName topicName = TopicName.parse(record.topic());
        if (topicName == null) {
            return;
        }
        if (topicName.isTable("journal")) {
            processJournalRecord(record);
        } else if (record.key() == null) {
            auditFindings.reportViolation(AuditInvariant.ZOMBIE, record.coordinates() + " has no key");
        } else {
            processTableRecord(record, new RowKey(topicName, record.key()));
        }
    }

    private void processJournalRecord(RawRecord record) {
        byte[] value = record.value();
        JournalRecord decision;
        try {
            decision = JournalRecord.parse(value == null ? new byte[0] : value);
        } catch (MalformedJsonException e) {
            auditFindings.reportViolation(
                    AuditInvariant.JOURNAL, record.coordinates() + " is unreadable: it " + e.getMessage());
            return;
        }
        if (base == null) {
            workerReportQueue.checkReportsBefore(record.appendMillis(), journalChainRules.seq());
        }
        auditFindings.setDecision(decision.seq(), decision.time());
        journalChainRules.check(decision, value == null ? new byte[0] : value);
        if (base != null && journalChainRules.firstSeq() == 1) {
            base = null;
        }
        LateJoinSnapshotBuilder joining = base;
        if (joining == null) {
            checkDecision(decision, record.appendMillis());
        } else {
            joinWith(joining, decision, record.appendMillis());
        }
    }

    private void checkDecision(JournalRecord decision, long append) {
        if (decision.isCheckpoint()) {
            // These are the rows of the chapter's start; there may be newer ones by now.
            heads.checkDecision(decision.seq());
            return;
        }
        decisions++;
        rules.check(decision, append);
        maxInFlight = Math.max(maxInFlight, fleetTables.inFlight().countInFleet());
        tables.checkDecision(decision);
        heads.checkDecision(decision.seq());
        inputs.checkDecision(decision);
    }

    /**
     * The rows are not known yet: they will be those of the first complete checkpoint, or of the tables if there is
     * none.
     */
    private void joinWith(LateJoinSnapshotBuilder joining, JournalRecord decision, long append) {
        heads.checkDecision(decision.seq());
        StartingCheckpoint chapter = startingCheckpoint;
        if (decision.event().equals(JournalRecord.CHAPTER_STARTED)) {
            dropChapter(joining);
            startingCheckpoint = new StartingCheckpoint(decision.seq());
            skipDecision(joining, decision);
        } else if (chapter == null) {
            skipDecision(joining, decision);
        } else if (decision.isCheckpoint()) {
            chapter.addRows(decision.changes());
        } else {
            chapter.addWaiting(decision, append);
            if (decision.event().equals(JournalRecord.CHAPTER_COMPLETED)) {
                startFromCheckpoint(chapter);
            }
        }
    }

    private void skipDecision(LateJoinSnapshotBuilder joining, JournalRecord decision) {
        if (!decision.isCheckpoint()) {
            joining.addDecision(decision.seq(), decision.changes());
        }
        tables.skipUpTo(decision.seq());
        auditFindings.reportUnverified("decisions before the start of the audit");
    }

    /** Decisions since the start of a chapter without a complete checkpoint are before the start of the audit, too. */
    private void dropChapter(LateJoinSnapshotBuilder joining) {
        StartingCheckpoint dropped = startingCheckpoint;
        startingCheckpoint = null;
        if (dropped != null) {
            dropped.waitingDecisions().forEach(waitingDecision -> skipDecision(joining, waitingDecision.decision()));
        }
    }

    /** Starts the audit with the rows of a chapter's checkpoint, and checks each decision since. */
    private void startFromCheckpoint(StartingCheckpoint chapter) {
        base = null;
        startingCheckpoint = null;
        chapter.putRows(fleetTables);
        startAudit(chapter.seq());
        for (StartingCheckpoint.WaitingDecision waitingDecision : chapter.waitingDecisions()) {
            JournalRecord decision = waitingDecision.decision();
            workerReportQueue.checkReportsBefore(waitingDecision.append(), decision.seq() - 1);
            auditFindings.setDecision(decision.seq(), decision.time());
            checkDecision(decision, waitingDecision.append());
        }
    }

    /** The rows as of a decision are known from now on, and of attempts that started before only what the rows have. */
    private void startAudit(long seq) {
        attemptHistories.forgetBelow(seq + 1);
        rules.startHistories();
        maxInFlight = fleetTables.inFlight().countInFleet();
    }

    private void processTableRecord(RawRecord record, RowKey rowKey) {
        JsonValue jsonValue;
        RowChange rowChange;
        try {
            jsonValue = record.value() == null ? null : JsonParser.parse(record.value());
            rowChange = RowChange.of(rowKey, jsonValue);
        } catch (MalformedJsonException e) {
            reportUnreadable(record, rowKey, e.getMessage());
            return;
        }
        TopicName topicName = rowKey.topic();
        if (topicName.isInput()) {
            inputs.addInputRow(rowKey, rowChange.row());
            if (base != null) {
                base.addInputRow(rowChange, record);
            }
        } else if (topicName.isTable("progress")) {
            if (rowChange.row() instanceof AttemptProgress attemptProgress) {
                workerReportQueue.addReport(attemptProgress, record.appendMillis(), live);
            }
        } else {
            processOutputRow(record, rowKey, jsonValue, rowChange);
        }
    }

    private void processOutputRow(RawRecord record, RowKey rowKey, @Nullable JsonValue jsonValue, RowChange rowChange) {
        Long seq = record.seq();
        if (rowKey.topic().isTable("head")) {
            heads.checkHeadRow(rowKey, seq, rowChange.row());
        } else {
            tables.checkRow(rowKey, seq, jsonValue, record.coordinates());
            if (seq != null) {
                lostSiteRows.recordShownRow(rowKey, seq);
            }
        }
        if (base != null && seq != null) {
            base.addOutputRow(rowChange, seq);
        }
    }

    /** Other clients may write unreadable records; the orchestrator may not. */
    private void reportUnreadable(RawRecord record, RowKey rowKey, @Nullable String problem) {
        if (rowKey.topic().isInput() || rowKey.topic().isTable("progress")) {
            auditFindings.reportUnverified("unreadable input records");
        } else {
            auditFindings.reportViolation(
                    AuditInvariant.ZOMBIE, rowKey + " at " + record.coordinates() + " is unreadable: it " + problem);
        }
    }

    /** Records that a topic has another number of partitions than its table: what others read of it is unknown. */
    public void repartitioned(String topic, int partitions) {
        auditFindings.reportUnverified(
                "topic " + topic + " has " + partitions + " partitions, another number than its table");
    }

    /** Everything that was in all topics a moment ago has been processed; {@code now} is any monotonic clock. */
    public void caughtUp(long now) {
        if (base != null && !buildBase(base)) {
            return;
        }
        workerReportQueue.caughtUp(now, journalChainRules.seq());
        expectedRecords.caughtUp(now);
        tables.caughtUp(now);
        checkHeads(now);
        if (!live) {
            live = true;
            inputs.startChecks();
            ends.startChecks();
            tables.startChecks();
        }
    }

    /** Whether the rows are known now. */
    private boolean buildBase(LateJoinSnapshotBuilder rows) {
        if (!rows.isReady(journalChainRules.seq())) {
            return false;
        }
        dropChapter(rows);
        base = null;
        int unknown = rows.buildSnapshot(fleetTables);
        for (int i = 0; i < unknown; i++) {
            auditFindings.reportUnverified("inputs without a record that was decided on");
        }
        startAudit(journalChainRules.seq());
        return true;
    }

    private void checkHeads(long now) {
        if (!heads.isAhead()) {
            headMissedSince = Long.MIN_VALUE;
        } else if (headMissedSince == Long.MIN_VALUE) {
            headMissedSince = now;
        } else if (now - headMissedSince >= ExpectedRecords.GRACE) {
            headMissedSince = Long.MAX_VALUE;
            auditFindings.reportViolation(
                    AuditInvariant.JOURNAL,
                    "head/fleet is at decision " + heads.seq() + ", but the journal ends with "
                            + journalChainRules.seq());
        }
    }

    public AuditFindings findings() {
        return auditFindings;
    }

    /** The newest decision that was read. */
    public long seq() {
        return journalChainRules.seq();
    }

    /** The number of decisions that were checked. */
    public long decisions() {
        return decisions;
    }

    public int inFlight() {
        return fleetTables.inFlight().countInFleet();
    }

    public int maxInFlight() {
        return maxInFlight;
    }

    /** Whether findings are about the present, and not about the past. */
    public boolean isLive() {
        return live;
    }

    public boolean isFrozenByOrder() {
        return fleetTables.isFrozenByOrder("fleet/freeze");
    }

    /** Whether nothing is pending: everything that was read has been checked. */
    public boolean isComplete() {
        return base == null && expectedRecords.isEmpty() && tables.isSettled() && workerReportQueue.isEmpty();
    }

    /** Machines that are still to be upgraded, up to a limit: with an open attempt, or waiting. */
    public List<String> unfinishedMachines(int limit) {
        return UnfinishedMachineFinder.listMachines(fleetTables, limit);
    }

    /** Ends the run: every unfinished machine counts as lost. */
    public void endRun() {
        for (String machine : unfinishedMachines(Integer.MAX_VALUE)) {
            auditFindings.reportViolation(AuditInvariant.NOTHING_LOST, machine + ", but the run is over");
        }
    }
}
