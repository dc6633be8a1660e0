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
 * The whole of it, fed with records: the journal is the order of truth, and each decision is checked on the rows before
 * it; tables, inputs and workers' words are held against it wherever they are read.
 *
 * <p>The records of one partition must come in their order; partitions may be ahead of each other as they like. One
 * thread.
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
    private final DecisionAudit rules;

    /**
     * Null as soon as the rows are known: from the journal's first record on, from a chapter's checkpoint, or from what
     * the tables showed.
     */
    private @Nullable LateJoinSnapshotBuilder base = new LateJoinSnapshotBuilder();

    /** While the rows are not known: a chapter whose checkpoint is being read. */
    private @Nullable StartingCheckpoint opening;

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
        rules = new DecisionAudit(fleetTables, auditFindings, attemptHistories, ends);
    }

    /** Takes a record of any topic. */
    public void process(RawRecord record) {
        TopicName topicName = TopicName.parse(record.topic());
        if (topicName == null) {
            return;
        }
        if (topicName.isTable("journal")) {
            journal(record);
        } else if (record.key() == null) {
            auditFindings.reportViolation(AuditInvariant.ZOMBIE, record.coordinates() + " has no key");
        } else {
            table(record, new RowKey(topicName, record.key()));
        }
    }

    private void journal(RawRecord record) {
        byte[] value = record.value();
        JournalRecord decision;
        try {
            decision = JournalRecord.parse(value == null ? new byte[0] : value);
        } catch (MalformedJsonException e) {
            auditFindings.reportViolation(
                    AuditInvariant.JOURNAL, record.coordinates() + " cannot be read: it " + e.getMessage());
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
            judge(decision, record.appendMillis());
        } else {
            join(joining, decision, record.appendMillis());
        }
    }

    private void judge(JournalRecord decision, long append) {
        if (decision.isCheckpoint()) {
            // Its rows stood when the chapter began: by now there may be newer ones.
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

    /** The rows are not known yet: they are those of the first whole checkpoint, or of the tables where none comes. */
    private void join(LateJoinSnapshotBuilder joining, JournalRecord decision, long append) {
        heads.checkDecision(decision.seq());
        StartingCheckpoint chapter = opening;
        if (decision.event().equals(JournalRecord.CHAPTER_STARTED)) {
            leave(joining);
            opening = new StartingCheckpoint(decision.seq());
            beforeTheBase(joining, decision);
        } else if (chapter == null) {
            beforeTheBase(joining, decision);
        } else if (decision.isCheckpoint()) {
            chapter.addRows(decision.changes());
        } else {
            chapter.addWaiting(decision, append);
            if (decision.event().equals(JournalRecord.CHAPTER_COMPLETED)) {
                begin(chapter);
            }
        }
    }

    private void beforeTheBase(LateJoinSnapshotBuilder joining, JournalRecord decision) {
        if (!decision.isCheckpoint()) {
            joining.addDecision(decision.seq(), decision.changes());
        }
        tables.skipUpTo(decision.seq());
        auditFindings.reportUnverified("decisions before the base");
    }

    /** What was decided since a chapter began whose checkpoint never became whole is before the base, too. */
    private void leave(LateJoinSnapshotBuilder joining) {
        StartingCheckpoint left = opening;
        opening = null;
        if (left != null) {
            left.waitingDecisions().forEach(waitingDecision -> beforeTheBase(joining, waitingDecision.decision()));
        }
    }

    /** The rows are those of a chapter's checkpoint, and each decision since is checked. */
    private void begin(StartingCheckpoint chapter) {
        base = null;
        opening = null;
        chapter.putRows(fleetTables);
        opened(chapter.seq());
        for (StartingCheckpoint.WaitingDecision waitingDecision : chapter.waitingDecisions()) {
            JournalRecord decision = waitingDecision.decision();
            workerReportQueue.checkReportsBefore(waitingDecision.append(), decision.seq() - 1);
            auditFindings.setDecision(decision.seq(), decision.time());
            judge(decision, waitingDecision.append());
        }
    }

    /** The rows as of a decision are known from here on; of attempts that began before, what is in them. */
    private void opened(long seq) {
        attemptHistories.forgetBelow(seq + 1);
        rules.openBooks();
        maxInFlight = fleetTables.inFlight().countInFleet();
    }

    private void table(RawRecord record, RowKey rowKey) {
        JsonValue jsonValue;
        RowChange rowChange;
        try {
            jsonValue = record.value() == null ? null : JsonParser.parse(record.value());
            rowChange = RowChange.of(rowKey, jsonValue);
        } catch (MalformedJsonException e) {
            unreadable(record, rowKey, e.getMessage());
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
            output(record, rowKey, jsonValue, rowChange);
        }
    }

    private void output(RawRecord record, RowKey rowKey, @Nullable JsonValue jsonValue, RowChange rowChange) {
        Long seq = record.seq();
        if (rowKey.topic().isTable("head")) {
            heads.checkHeadRow(rowKey, seq, rowChange.row());
        } else {
            tables.checkRow(rowKey, seq, jsonValue, record.coordinates());
        }
        if (base != null && seq != null) {
            base.addOutputRow(rowChange, seq);
        }
    }

    /** Others may write what nobody can read; the orchestrator may not. */
    private void unreadable(RawRecord record, RowKey rowKey, @Nullable String problem) {
        if (rowKey.topic().isInput() || rowKey.topic().isTable("progress")) {
            auditFindings.reportUnverified("input records that cannot be read");
        } else {
            auditFindings.reportViolation(
                    AuditInvariant.ZOMBIE, rowKey + " at " + record.coordinates() + " cannot be read: it " + problem);
        }
    }

    /** A topic has another number of partitions than its table: nobody knows what the others read of it. */
    public void repartitioned(String topic, int partitions) {
        auditFindings.reportUnverified(
                "topic " + topic + " has " + partitions + " partitions, which is not what its table has");
    }

    /** Everything that stood in all topics a moment ago has been taken; {@code now} is any clock that only goes on. */
    public void caughtUp(long now) {
        if (base != null && !based(base)) {
            return;
        }
        workerReportQueue.caughtUp(now, journalChainRules.seq());
        expectedRecords.caughtUp(now);
        tables.caughtUp(now);
        heads(now);
        if (!live) {
            live = true;
            inputs.startChecks();
            ends.startChecks();
            tables.startChecks();
        }
    }

    /** Whether the rows are known now. */
    private boolean based(LateJoinSnapshotBuilder rows) {
        if (!rows.isReady(journalChainRules.seq())) {
            return false;
        }
        leave(rows);
        base = null;
        int unknown = rows.buildSnapshot(fleetTables);
        for (int i = 0; i < unknown; i++) {
            auditFindings.reportUnverified("inputs of which nothing decided is left");
        }
        opened(journalChainRules.seq());
        return true;
    }

    private void heads(long now) {
        if (!heads.isAhead()) {
            headMissedSince = Long.MIN_VALUE;
        } else if (headMissedSince == Long.MIN_VALUE) {
            headMissedSince = now;
        } else if (now - headMissedSince >= ExpectedRecords.GRACE) {
            headMissedSince = Long.MAX_VALUE;
            auditFindings.reportViolation(
                    AuditInvariant.JOURNAL,
                    "head/fleet is at seq " + heads.seq() + ", and the journal ends with " + journalChainRules.seq());
        }
    }

    public AuditFindings findings() {
        return auditFindings;
    }

    /** The newest decision that was read. */
    public long seq() {
        return journalChainRules.seq();
    }

    /** How many decisions were checked. */
    public long decisions() {
        return decisions;
    }

    public int inFlight() {
        return fleetTables.inFlight().countInFleet();
    }

    public int maxInFlight() {
        return maxInFlight;
    }

    /** Whether what is found now happened while it was watched, and is no old story. */
    public boolean isLive() {
        return live;
    }

    public boolean isFrozenByOrder() {
        return fleetTables.isFrozenByOrder("fleet/freeze");
    }

    /** Whether nothing is waited for any more: everything that was read has been judged. */
    public boolean isComplete() {
        return base == null && expectedRecords.isEmpty() && tables.isSettled() && workerReportQueue.isEmpty();
    }

    /** Who is still to be upgraded, at most so many: an attempt open, or waiting. */
    public List<String> unfinishedMachines(int most) {
        return UnfinishedMachineFinder.listMachines(fleetTables, most);
    }

    /** The run is said to be over: whoever is not finished now was lost. */
    public void endRun() {
        for (String machine : unfinishedMachines(Integer.MAX_VALUE)) {
            auditFindings.reportViolation(AuditInvariant.NOTHING_LOST, machine + ", and the run is over");
        }
    }
}
