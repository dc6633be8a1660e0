package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.simulator.leader.SimOrchestrator;
import java.util.List;

/**
 * What a person does once the bug is mended that kept something due from being decided, as the runbook says: stops all
 * orchestrators, writes tombstones for what is parked, and starts them.
 */
final class ParkedWorkRecovery {
    private static final long STARTED_AFTER = 5_000;

    private ParkedWorkRecovery() {}

    static void unparkAll(SimWorld world) {
        List<RejectedRecord> parked = world.committedRows().all(RejectedRecord.class).stream()
                .filter(row -> row.reason() == RejectionReason.CANNOT_BE_DECIDED && isOurs(row))
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
        world.occurrences().addCondition(CoverageCondition.DUE_PARKED);
    }

    /** It stands under the key of a row that nobody but the orchestrator writes. */
    private static boolean isOurs(RejectedRecord row) {
        Topic topic = Topic.parse(row.key().topic());
        return topic != null && (topic.table() == Table.STATUS || topic.table() == Table.CAMPAIGN_STATUS);
    }
}
