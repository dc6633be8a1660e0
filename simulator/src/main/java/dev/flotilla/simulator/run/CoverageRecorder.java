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

/** Which circumstances came up in one world. Most of them show in what is written. */
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
            case MachineRow machine -> machine(machine);
            case WatcherHeartbeat heartbeat -> missing(heartbeat.withheldRemovals());
            case RejectedRecord rejectedRecord -> rejected(rejectedRecord);
            case SiteHead head -> {
                if (head.unreachableSince() != null) {
                    addCondition(CoverageCondition.SITE_AWAY);
                }
            }
            default -> {
                // Tells of nothing out of the way.
            }
        }
    }

    private void missing(int machines) {
        if (machines > MANY) {
            addCondition(CoverageCondition.MANY_MISSING);
        } else if (machines > 0 && machines <= FEW) {
            addCondition(CoverageCondition.FEW_MISSING);
        }
    }

    private void rejected(RejectedRecord rejectedRecord) {
        if (rejectedRecord.reason() == RejectionReason.CANNOT_BE_DECIDED) {
            addCondition(CoverageCondition.PARKED);
        } else if (!rejectedRecord.readable()) {
            addCondition(CoverageCondition.UNREADABLE);
        }
    }

    private void machine(MachineRow machine) {
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
                    // The machine is its owner's as ever.
                }
            }
        }
    }
}
