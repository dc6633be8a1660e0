package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A machine's status is deleted only when another machine has its name, when the machine was being deleted and no
 * longer exists, or when nothing of it is open. A missing inventory row frees no slot and forgets no failure and no
 * skip.
 */
final class MachineStatusRemovalInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final DeletedMachineFailures deletedMachines;

    MachineStatusRemovalInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.deletedMachines = new DeletedMachineFailures(rows);
    }

    /** Checks a decision before it is put. */
    void check(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            MachineStatus known = rowChange.rowKey().table() == Table.STATUS
                            && rowChange.rowKey().key() instanceof MachineKey of
                    ? rows.status(of)
                    : null;
            if (known != null && known.attempt() != null && endsAttempt(rowChange, decision)) {
                checkEndedAttempt(known, decision);
            }
            if (rowChange instanceof Tombstone && known != null) {
                MachineKey key = known.key();
                if (isReplaced(known, decision)) {
                    checkReplaced(known, decision);
                } else if (isDeleted(key, decision)) {
                    checkDeleted(known);
                } else {
                    checkDropped(known);
                }
            }
        }
    }

    /** Whether a decision about the inventory ends an open attempt. */
    private static boolean endsAttempt(RowChange status, Decision decision) {
        boolean isInventoryEvent = decision.event() == DecisionEvent.ATTEMPT_VANISHED
                || decision.event() == DecisionEvent.INVENTORY_CHANGED;
        return isInventoryEvent
                && (status instanceof Tombstone || (status instanceof MachineStatus now && now.attempt() == null));
    }

    /**
     * Requires proof that the node does not refresh any more: the machine was deleted, or its name has another node.
     */
    private void checkEndedAttempt(MachineStatus known, Decision decision) {
        MachineRow before = rows.machine(known.key());
        MachineRow after = rowAfter(known.key(), decision);
        boolean deleted = before != null && before.uid().equals(known.uid()) && isDeleted(known.key(), decision);
        boolean otherNode = before != null && after != null && isOtherNode(before, after);
        violationLog.require(
                deleted || otherNode,
                Invariant.SLOT_HISTORY,
                known.key() + " attempt " + known.attempt() + " was dropped although its node may still exist");
    }

    /** Requires that its campaigns count the failures of a replaced machine. */
    private void checkReplaced(MachineStatus known, Decision decision) {
        for (RolloutEntry entry : known.entries()) {
            CampaignStatus campaign = rows.campaign(entry.rolloutRef());
            boolean counted = decision.changes().stream()
                    .anyMatch(rowChange -> rowChange instanceof CampaignStatus next
                            && campaign != null
                            && next.uid() == campaign.uid()
                            && next.failuresOfDeletedMachines() > campaign.failuresOfDeletedMachines());
            violationLog.require(
                    counted || !deletedMachines.countsAsFailed(known, entry) || known.attempt() != null,
                    Invariant.BUDGET,
                    known.key() + " was replaced, and its failures in " + entry.rolloutRef()
                            + " are no longer counted");
        }
    }

    private static boolean isOtherNode(MachineRow before, MachineRow after) {
        boolean bothHaveUuid = isRealUuid(before.systemUuid()) && isRealUuid(after.systemUuid());
        return bothHaveUuid
                ? !Objects.equals(before.systemUuid(), after.systemUuid())
                : before.providerId() != null
                        && after.providerId() != null
                        && !before.providerId().equals(after.providerId());
    }

    private static boolean isRealUuid(@Nullable String systemUuid) {
        return systemUuid != null && !systemUuid.startsWith("00000000-");
    }

    /** Requires that the deletion of a failed machine gives nothing back to a failure budget. */
    private void checkDeleted(MachineStatus known) {
        for (RolloutEntry entry : known.entries()) {
            violationLog.require(
                    !deletedMachines.countsAsFailed(known, entry),
                    Invariant.BUDGET,
                    known.key() + " was deleted, and its failures in " + entry.rolloutRef() + " are no longer counted");
        }
    }

    private void checkDropped(MachineStatus known) {
        violationLog.require(
                known.attempt() == null,
                Invariant.SLOT_HISTORY,
                known.key() + " attempt " + known.attempt() + " was dropped, which frees its slot");
        for (RolloutEntry entry : known.entries()) {
            violationLog.require(
                    !isOpen(entry.rolloutRef()),
                    entry.failedAttempts() > 0 ? Invariant.BUDGET : Invariant.MACHINE_HISTORY,
                    known.key() + " was dropped with its open entry in " + entry.rolloutRef() + ": " + entry.outcome()
                            + " after " + entry.failedAttempts() + " failures");
        }
    }

    private boolean isOpen(RolloutRef rolloutRef) {
        CampaignStatus campaign = rows.campaign(rolloutRef);
        if (campaign != null) {
            return !campaign.state().isOver();
        }
        UpgradeIntent intent = rolloutRef instanceof RolloutRef.IntentRef of ? rows.intent(of.object()) : null;
        return intent != null && rolloutRef.equals(new RolloutRef.IntentRef(intent.object(), intent.requestedAt()));
    }

    private boolean isReplaced(MachineStatus known, Decision decision) {
        MachineRow row = rowAfter(known.key(), decision);
        return row != null && !row.uid().equals(known.uid());
    }

    private @Nullable MachineRow rowAfter(MachineKey key, Decision decision) {
        MachineRow row = rows.machine(key);
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof MachineRow next && next.key().equals(key)) {
                row = next;
            }
        }
        return row;
    }

    private boolean isDeleted(MachineKey key, Decision decision) {
        @Nullable MachineRow row = rows.machine(key);
        RowKey at = new RowKey(Table.INVENTORY, key);
        return row != null
                && row.deleting()
                && decision.changes().stream()
                        .anyMatch(rowChange -> rowChange instanceof Tombstone
                                && rowChange.rowKey().equals(at));
    }
}
