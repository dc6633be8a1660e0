package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.simulator.leader.SimOrchestrator;
import java.util.List;

/**
 * What the runbook tells operators to do after a bug is fixed that kept due work from being decided: stop all
 * orchestrators, write tombstones for the parked rows, and start the orchestrators.
 */
final class ParkedWorkRecovery {
    private static final long STARTED_AFTER = 5_000;

    private ParkedWorkRecovery() {}

    static void unparkAll(SimWorld world) {
        List<RejectedRecord> parked = world.committedRows().all(RejectedRecord.class).stream()
                .filter(row -> row.reason() == RejectionReason.CANNOT_BE_DECIDED && isDueWork(row))
                .toList();
        if (parked.isEmpty()) {
            return;
        }
        for (SimOrchestrator orchestrator : world.orchestrators()) {
            orchestrator.process().crash("to run a version without the bug", STARTED_AFTER);
        }
        for (RejectedRecord row : parked) {
            Tombstone tombstone = new Tombstone(new RowKey(Table.REJECTED, row.key()));
            world.log().append(TablePartition.of(Table.REJECTED), tombstone);
            world.committedRows().put(tombstone);
            world.checker().recordManualWrite(tombstone);
        }
        world.coverage().addCondition(CoverageCondition.DUE_WORK_PARKED);
    }

    /** Whether it is parked under the key of a row that only the orchestrator writes. */
    private static boolean isDueWork(RejectedRecord row) {
        Topic topic = Topic.parse(row.key().topic());
        return topic != null && (topic.table() == Table.STATUS || topic.table() == Table.CAMPAIGN_STATUS);
    }
}
