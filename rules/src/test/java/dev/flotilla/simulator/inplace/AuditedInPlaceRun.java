package dev.flotilla.simulator.inplace;

import dev.flotilla.auditor.check.InvariantViolation;
import dev.flotilla.auditor.check.JournalAudit;
import dev.flotilla.auditor.wire.RawRecord;
import dev.flotilla.core.Decider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.run.JournalHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A seeded world of clusters that Cluster API updates in place, as the auditor reads it from Kafka. */
public final class AuditedInPlaceRun implements InPlaceWorld.InPlaceObserver {
    private final List<InvariantViolation> violations = new ArrayList<>();
    private final JournalAudit journalAudit = new JournalAudit(violations::add);
    private final Map<TablePartition, Long> offsets = new HashMap<>();
    private String journalHash = "";
    private Instant now = Instant.EPOCH;

    private AuditedInPlaceRun() {
        journalAudit.caughtUp(0);
    }

    /**
     * The result of auditing a seed.
     *
     * @param soundByTheSimulator whether the simulator has found nothing
     */
    public record AuditedWorld(List<InvariantViolation> violations, boolean soundByTheSimulator, long decisions) {}

    /** Audits a seed with a core. */
    public static AuditedWorld of(long seed, Decider decider) {
        AuditedInPlaceRun run = new AuditedInPlaceRun();
        InPlaceWorld.InPlaceResult result = InPlaceWorld.run(seed, decider, run);
        run.journalAudit.caughtUp(run.now.toEpochMilli());
        return new AuditedWorld(run.violations, result.violations().isEmpty(), run.journalAudit.decisions());
    }

    /** The cores with a bug, by its description. */
    public static Map<String, Decider> brokenCores() {
        return BrokenInPlaceCores.all();
    }

    @Override
    public void received(RowChange row, long offset, Instant at) {
        now = at;
        audit(OrchestratorPartitions.partitionOf(row.rowKey()), WireRecordCodec.encode(row));
    }

    @Override
    public void decided(Decision decision) {
        WireRecord record = WireRecordCodec.encode(DecisionBatch.journalRecordOf(decision, journalHash));
        journalHash = JournalHash.of(record.value());
        audit(TablePartition.of(Table.JOURNAL), record);
        for (RowChange change : decision.changes()) {
            if (!OrchestratorPartitions.isInput(change.rowKey().table())) {
                RowChange row = change instanceof FleetHead head ? JournalHash.with(head, journalHash) : change;
                audit(OrchestratorPartitions.partitionOf(change.rowKey()), WireRecordCodec.encode(row, decision.seq()));
            }
        }
        journalAudit.caughtUp(now.toEpochMilli());
    }

    private void audit(TablePartition tablePartition, WireRecord wire) {
        Map<String, String> headers = new HashMap<>();
        String seq = wire.headers().seq();
        if (seq != null) {
            headers.put("seq", seq);
        }
        journalAudit.process(new RawRecord(
                wire.topic(),
                tablePartition.partition(),
                offsets.merge(tablePartition, 1L, Long::sum),
                now.toEpochMilli(),
                wire.key(),
                headers,
                wire.value()));
    }
}
