package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/** Which rollout a machine starts for: its own intent, then its owner's, then its cluster's, then campaigns. */
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
                            && first.requestedAt().equals(by.requestedAt())
                            && first.target().equals(attempt.target()),
                    Invariant.ROLLOUT_PRECEDENCE,
                    machine.key() + " started for the " + by + " to " + attempt.target()
                            + ", but the first open intent is " + first);
            String version = first == null ? null : versions.problemOf(first, machine);
            violationLog.require(
                    version == null,
                    Invariant.VERSION,
                    machine.key() + " started for the annotation of " + by.object() + ": it would go " + version);
        } else {
            // A campaign that has started a control plane keeps it until the control plane is done.
            violationLog.require(
                    first == null || machine.role() == MachineRole.CONTROL_PLANE,
                    Invariant.ROLLOUT_PRECEDENCE,
                    machine.key() + " started for " + attempt.rolloutRef() + ", but the first open intent is " + first);
        }
    }

    /** The first intent that the machine has not finished; null if none. */
    @Nullable
    UpgradeIntent firstOpenIntent(MachineRow machine) {
        UpgradeIntent own = rows.intent(machine.key());
        if (own != null && own.uid().equals(machine.uid()) && isOpen(machine, own)) {
            return own;
        }
        OwnerKey owner = ReferenceFleetState.ownerOf(machine);
        UpgradeIntent ofOwner = owner == null ? null : rows.intent(owner);
        if (ofOwner != null && isOpen(machine, ofOwner)) {
            return ofOwner;
        }
        UpgradeIntent ofCluster = rows.intent(machine.clusterKey());
        return ofCluster != null && isOpen(machine, ofCluster) ? ofCluster : null;
    }

    private boolean isOpen(MachineRow machine, UpgradeIntent intent) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
        RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
        return rows.canApply(machine, intent.target())
                && (entry == null || !entry.outcome().hasEnded());
    }
}
