package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.EnumSet;
import java.util.Set;

/** Records which conditions arose in one world, mostly from the rows that are written. */
final class CoverageRecorder {
    private static final int FEW = 2;
    private static final int MANY = 10;

    private final Set<CoverageCondition> conditions = EnumSet.noneOf(CoverageCondition.class);

    void addCondition(CoverageCondition coverageCondition) {
        conditions.add(coverageCondition);
    }

    Set<CoverageCondition> conditions() {
        return conditions;
    }

    void addRow(RowChange rowChange) {
        switch (rowChange) {
            case MachineRow machine -> recordMachine(machine);
            case WatcherHeartbeat heartbeat -> recordMissing(heartbeat.withheldRemovals());
            case RejectedRecord rejectedRecord -> recordRejection(rejectedRecord);
            case SiteHead head -> {
                if (head.unreachableSince() != null) {
                    addCondition(CoverageCondition.SITE_TOPICS_UNUSABLE);
                }
            }
            default -> {
                // Other rows show no condition.
            }
        }
    }

    private void recordMissing(int machines) {
        if (machines > MANY) {
            addCondition(CoverageCondition.MANY_MACHINES_MISSING);
        } else if (machines > 0 && machines <= FEW) {
            addCondition(CoverageCondition.FEW_MACHINES_MISSING);
        }
    }

    private void recordRejection(RejectedRecord rejectedRecord) {
        if (rejectedRecord.reason() == RejectionReason.CANNOT_BE_DECIDED) {
            addCondition(CoverageCondition.INPUT_PARKED);
        } else if (!rejectedRecord.readable()) {
            addCondition(CoverageCondition.UNREADABLE);
        }
    }

    private void recordMachine(MachineRow machine) {
        if (machine.node() == null) {
            addCondition(CoverageCondition.JOINING);
        }
        for (ForeignActivity foreignActivity : machine.foreignActivities()) {
            switch (foreignActivity) {
                case CERTIFICATES -> addCondition(CoverageCondition.CERTIFICATES);
                case ROLLING -> addCondition(CoverageCondition.ROLLING);
                case SCALING -> addCondition(CoverageCondition.SCALING);
                case REMEDIATION -> addCondition(CoverageCondition.REMEDIATION);
                default -> {
                    // Other activities are no condition.
                }
            }
        }
    }
}
