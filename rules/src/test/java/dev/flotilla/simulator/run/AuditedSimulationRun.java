package dev.flotilla.simulator.run;

import dev.flotilla.auditor.check.InvariantViolation;
import dev.flotilla.auditor.check.JournalAudit;
import dev.flotilla.auditor.wire.RawRecord;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.simulator.leader.CommitCheckContext;
import dev.flotilla.simulator.log.SimLogReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulated run as the auditor reads it from Kafka: every committed record in its wire encoding, in the order in
 * which it became visible. The simulated journal hash is not a SHA-256 over bytes, so it is computed here.
 */
public final class AuditedSimulationRun {
    private static final long LATER = 60_000;
    private static final Map<Long, AuditedSeed> REAL_RUNS = new ConcurrentHashMap<>();

    private final SimWorld world;
    private final JournalAudit journalAudit;
    private final SimLogReader inputs;
    private final List<InvariantViolation> violations = new ArrayList<>();
    private final Map<TablePartition, Long> offsets = new HashMap<>();
    private final Map<RowKey, Long> keptSeqs = new HashMap<>();
    private String journalHash = "";

    private AuditedSimulationRun(SimWorld world) {
        this.world = world;
        this.journalAudit = new JournalAudit(violations::add);
        this.inputs = new SimLogReader(world.log());
        List<dev.flotilla.schemas.id.SiteId> sites = new ArrayList<>();
        world.fleet().sites().forEach(site -> sites.add(site.id()));
        OrchestratorPartitions.inputs(sites).forEach(tablePartition -> inputs.seek(tablePartition, 0));
        world.log().onLoss(tablePartition -> {
            if (OrchestratorPartitions.isInput(tablePartition.table())) {
                inputs.seek(tablePartition, world.log().end(tablePartition));
            }
        });
        journalAudit.caughtUp(0);
    }

    /**
     * Result of auditing a seed while it runs.
     *
     * @param complete whether the auditor has checked everything that it read
     * @param decisions number of decisions that it checked
     * @param seq the newest decision
     * @param byLeaders whether only leaders wrote their rows
     * @param away whether a site was unreachable for a while
     */
    public record AuditedSeed(
            long seed,
            boolean complete,
            long decisions,
            long seq,
            List<InvariantViolation> violations,
            boolean soundByTheSimulator,
            boolean away,
            SeedJournal journal) {}

    /**
     * Journal that the leaders of a seed wrote.
     *
     * @param whole whether each leader knew all sites and only leaders wrote their rows, so that a replay of the
     * journal has the same rows
     * @param byLeaders whether only leaders wrote their rows
     * @param away whether a site was unreachable for a while
     */
    public record SeedJournal(long seed, List<JournalRecord> records, boolean whole, boolean byLeaders, boolean away) {}

    /** The run of the real system, which happens once for all tests. */
    public static AuditedSeed of(long seed) {
        return REAL_RUNS.computeIfAbsent(seed, absent -> of(absent, SystemUnderTest.REAL));
    }

    public static AuditedSeed of(long seed, SystemUnderTest systemUnderTest) {
        SeedRun run = new SeedRun(seed, systemUnderTest, false);
        AuditedSimulationRun recorded = new AuditedSimulationRun(run.world());
        List<JournalRecord> journal = new ArrayList<>();
        boolean[] away = {false};
        boolean[] whole = {true};
        run.world().log().onCommit((by, records, note) -> {
            recorded.onCommit(note);
            if (note instanceof CommitCheckContext commit) {
                journal.addAll(commit.batch().journal());
                away[0] |= isAway(commit, run.world());
                whole[0] &= !away[0] || !isTakeOver(commit);
            }
        });
        SeedRun.SeedResult seedResult = run.run();
        long now = run.world().scheduler().now();
        recorded.readInputs();
        recorded.journalAudit.caughtUp(now);
        recorded.journalAudit.caughtUp(now + LATER);
        // A simulated operator who removes the cause of a bug writes tombstones while there is no leader, which the
        // journal does not have.
        boolean byLeaders = !seedResult.conditions().contains(CoverageCondition.DUE_WORK_PARKED);
        return new AuditedSeed(
                seed,
                recorded.journalAudit.isComplete(),
                recorded.journalAudit.decisions(),
                recorded.journalAudit.seq(),
                recorded.violations,
                seedResult.violations().isEmpty() && seedResult.stuck().isEmpty(),
                away[0],
                new SeedJournal(seed, journal, whole[0] && byLeaders, byLeaders, away[0]));
    }

    /** A leader that takes over while a site is unreachable knows neither its rows nor the rows withheld for it. */
    private static boolean isTakeOver(CommitCheckContext commit) {
        return commit.batch().decisions().stream()
                .anyMatch(decision -> decision.event() == DecisionEvent.LEADER_ELECTED);
    }

    private static boolean isAway(CommitCheckContext commit, SimWorld world) {
        return !commit.isComplete(world.watchers().keySet())
                || commit.batch().siteHeads().values().stream().anyMatch(head -> head.unreachableSince() != null);
    }

    private void onCommit(@Nullable Object note) {
        readInputs();
        if (note instanceof CommitCheckContext commit) {
            auditCommit(commit);
            journalAudit.caughtUp(world.scheduler().now());
        } else if (note instanceof CommitCheckContext.ReleasedSiteRows releasedSiteRows) {
            releasedSiteRows
                    .rows()
                    .forEach((at, rowChange) -> auditLeaderRecord(
                            OrchestratorPartitions.partitionOf(at),
                            WireRecordCodec.encode(rowChange, keptSeqs.getOrDefault(at, 0L))));
        }
    }

    private void readInputs() {
        for (SimLogReader.FetchedRecord fetchedRecord :
                inputs.poll(world.scheduler().now(), Integer.MAX_VALUE)) {
            RowChange rowChange = fetchedRecord.logged().rowChange();
            if (rowChange != null) {
                auditRecord(
                        fetchedRecord.partition(),
                        fetchedRecord.logged().offset(),
                        fetchedRecord.logged().appendedAt(),
                        WireRecordCodec.encode(rowChange));
            } else {
                RowKey key = fetchedRecord.logged().key();
                auditRecord(
                        fetchedRecord.partition(),
                        fetchedRecord.logged().offset(),
                        fetchedRecord.logged().appendedAt(),
                        new WireRecord(
                                new Topic(key.table(), RecordKeyFormat.siteOf(key)).name(),
                                null,
                                RecordKeyFormat.print(key),
                                "no JSON".getBytes(StandardCharsets.UTF_8),
                                dev.flotilla.schemas.json.WireHeaders.NONE));
            }
        }
    }

    /** One transaction of the leader: its decisions, and the newest row of each key. */
    private void auditCommit(CommitCheckContext commit) {
        DecisionBatch batch = commit.batch();
        Map<RowKey, Long> seqs = new LinkedHashMap<>();
        for (Decision decision : batch.decisions()) {
            for (RowChange rowChange : decision.changes()) {
                seqs.put(rowChange.rowKey(), decision.seq());
            }
            JournalRecord record = new JournalRecord(
                    decision.seq(),
                    decision.at(),
                    decision.event().label(),
                    String.valueOf(decision.subject()),
                    decision.reason(),
                    decision.changes(),
                    journalHash);
            WireRecord wire = WireRecordCodec.encode(record);
            journalHash = JournalHash.of(wire.value());
            auditLeaderRecord(TablePartition.of(Table.JOURNAL), wire);
        }
        batch.rows().forEach((at, rowChange) -> {
            RowChange row = rowChange instanceof FleetHead head ? JournalHash.with(head, journalHash) : rowChange;
            long seq = seqs.getOrDefault(at, batch.head().seq());
            if (commit.withheldRows().containsKey(at)) {
                keptSeqs.put(at, seq);
            } else {
                auditLeaderRecord(OrchestratorPartitions.partitionOf(at), WireRecordCodec.encode(row, seq));
            }
        });
    }

    private void auditLeaderRecord(TablePartition tablePartition, WireRecord wire) {
        auditRecord(
                tablePartition,
                offsets.merge(tablePartition, 1L, Long::sum),
                world.scheduler().now(),
                wire);
    }

    private void auditRecord(TablePartition tablePartition, long offset, long appended, WireRecord wire) {
        Map<String, String> headers = new HashMap<>();
        String seq = wire.headers().seq();
        if (seq != null) {
            headers.put("seq", seq);
        }
        journalAudit.process(new RawRecord(
                wire.topic(), tablePartition.partition(), offset, appended, wire.key(), headers, wire.value()));
    }
}
