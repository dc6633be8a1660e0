package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/** Whose turn it is: what a machine is asked for itself, then its owner, then its cluster, and campaigns after all of them. */
final class RolloutPrecedenceInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final VersionSkewInvariants versions;

    RolloutPrecedenceInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.versions = new VersionSkewInvariants(rows);
    }

    void check(UpgradeAttempt attempt, MachineRow machine) {
        UpgradeIntent first = firstOpenIntent(machine);
        if (attempt.rolloutRef() instanceof RolloutRef.IntentRef by) {
            violationLog.require(
                    first != null
                            && first.object().equals(by.object())
                            && first.since().equals(by.since())
                            && first.target().equals(attempt.target()),
                    Invariant.TURN,
                    machine.key() + " started for the " + by + " to " + attempt.target() + ", but its turn has "
                            + first);
            String version = first == null ? null : versions.forbiddenBecause(first, machine);
            violationLog.require(
                    version == null,
                    Invariant.VERSION,
                    machine.key() + " started for the annotation of " + by.object() + ": it goes " + version);
        } else {
            // A campaign that has begun a control plane keeps it until it is done.
            violationLog.require(
                    first == null || machine.role() == MachineRole.CONTROL_PLANE,
                    Invariant.TURN,
                    machine.key() + " started for " + attempt.rolloutRef() + ", but its turn has " + first);
        }
    }

    /** The first intent that it has not ended for; null for none. */
    @Nullable
    UpgradeIntent firstOpenIntent(MachineRow machine) {
        UpgradeIntent own = rows.intent(machine.key());
        if (own != null && own.uid().equals(machine.uid()) && isOpen(machine, own)) {
            return own;
        }
        OwnerKey owner = ReferenceFleetState.ownerOf(machine);
        UpgradeIntent owners = owner == null ? null : rows.intent(owner);
        if (owners != null && isOpen(machine, owners)) {
            return owners;
        }
        UpgradeIntent whole = rows.intent(machine.clusterKey());
        return whole != null && isOpen(machine, whole) ? whole : null;
    }

    private boolean isOpen(MachineRow machine, UpgradeIntent intent) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(intent.object(), intent.since());
        RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
        return entry == null || !entry.outcome().hasEnded();
    }
}
