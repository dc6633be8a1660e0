package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import java.util.EnumSet;
import java.util.Set;

/** Which circumstances came up in one world. Most of them show in what is written. */
final class Occurrences {
    private static final int FEW = 2;
    private static final int MANY = 10;

    private final Set<Circumstance> seen = EnumSet.noneOf(Circumstance.class);

    void note(Circumstance circumstance) {
        seen.add(circumstance);
    }

    Set<Circumstance> seen() {
        return seen;
    }

    void wrote(RowChange rowChange) {
        switch (rowChange) {
            case MachineRow machine -> machine(machine);
            case WatcherHeartbeat heartbeat -> missing(heartbeat.withheldRemovals());
            case RejectedRecord rejectedRecord -> rejected(rejectedRecord);
            case SiteHead head -> {
                if (head.unreachableSince() != null) {
                    note(Circumstance.SITE_AWAY);
                }
            }
            default -> {
                // Tells of nothing out of the way.
            }
        }
    }

    private void missing(int machines) {
        if (machines > MANY) {
            note(Circumstance.MANY_MISSING);
        } else if (machines > 0 && machines <= FEW) {
            note(Circumstance.FEW_MISSING);
        }
    }

    private void rejected(RejectedRecord rejectedRecord) {
        if (rejectedRecord.reason() == RejectionReason.CANNOT_BE_DECIDED) {
            note(Circumstance.PARKED);
        } else if (!rejectedRecord.readable()) {
            note(Circumstance.UNREADABLE);
        }
    }

    private void machine(MachineRow machine) {
        if (machine.node() == null) {
            note(Circumstance.JOINING);
        }
        for (ForeignActivity foreignActivity : machine.foreignActivities()) {
            switch (foreignActivity) {
                case CERTIFICATES -> note(Circumstance.CERTIFICATES);
                case ROLLING -> note(Circumstance.ROLLING);
                case SCALING -> note(Circumstance.SCALING);
                case REMEDIATION -> note(Circumstance.REMEDIATION);
                default -> {
                    // The machine is its owner's as ever.
                }
            }
        }
    }
}
