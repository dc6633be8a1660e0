package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.topic.Table;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a machine is forgotten when another machine has its name, when it was being deleted and is gone, or when
 * nothing is open of it: an inventory row that is missing for a while gives back no slot, no failure and no skip.
 */
final class MachineStatusRemovalInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final DeletedMachineFailures gone;

    MachineStatusRemovalInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.gone = new DeletedMachineFailures(rows);
    }

    /** Asked before the decision is put. */
    void check(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            MachineStatus known = rowChange.rowKey().table() == Table.STATUS
                            && rowChange.rowKey().key() instanceof MachineKey of
                    ? rows.status(of)
                    : null;
            if (known != null && known.attempt() != null && isLetGo(rowChange, decision)) {
                letGo(known, decision);
            }
            if (rowChange instanceof Tombstone && known != null) {
                MachineKey key = known.key();
                if (isAnother(known, decision)) {
                    replaced(known, decision);
                } else if (isDeleted(key, decision)) {
                    failuresForgotten(known);
                } else {
                    forgotten(known);
                }
            }
        }
    }

    /** Whether an open attempt is over by what the inventory says. */
    private static boolean isLetGo(RowChange status, Decision decision) {
        boolean said = decision.event() == DecisionEvent.ATTEMPT_VANISHED
                || decision.event() == DecisionEvent.INVENTORY_CHANGED;
        return said && (status instanceof Tombstone || (status instanceof MachineStatus now && now.attempt() == null));
    }

    /** Nothing but a deletion of the machine itself, and another node under its name, says that its node does not refresh. */
    private void letGo(MachineStatus known, Decision decision) {
        MachineRow before = rows.machine(known.key());
        MachineRow after = rowAfter(known.key(), decision);
        boolean deleted = before != null && before.uid().equals(known.uid()) && isDeleted(known.key(), decision);
        boolean otherNode = before != null && after != null && isOtherNode(before, after);
        violationLog.require(
                deleted || otherNode,
                Invariant.SLOT_HISTORY,
                known.key() + " attempt " + known.attempt() + " was forgotten, and its node may be there");
    }

    /** Its failures are counted by its campaigns. */
    private void replaced(MachineStatus known, Decision decision) {
        for (RolloutEntry entry : known.entries()) {
            CampaignStatus campaign = rows.campaign(entry.rolloutRef());
            boolean counted = decision.changes().stream()
                    .anyMatch(rowChange -> rowChange instanceof CampaignStatus next
                            && campaign != null
                            && next.uid() == campaign.uid()
                            && next.failuresOfDeletedMachines() > campaign.failuresOfDeletedMachines());
            violationLog.require(
                    counted || !gone.countsAsFailed(known, entry) || known.attempt() != null,
                    Invariant.BUDGET,
                    known.key() + " was forgotten, and its failures in " + entry.rolloutRef() + " with it");
        }
    }

    private static boolean isOtherNode(MachineRow before, MachineRow after) {
        boolean told = tells(before.systemUuid()) && tells(after.systemUuid());
        return told
                ? !Objects.equals(before.systemUuid(), after.systemUuid())
                : before.providerId() != null
                        && after.providerId() != null
                        && !before.providerId().equals(after.providerId());
    }

    private static boolean tells(@Nullable String systemUuid) {
        return systemUuid != null && !systemUuid.startsWith("00000000-");
    }

    /** To delete a machine that failed gives nothing of a budget back. */
    private void failuresForgotten(MachineStatus known) {
        for (RolloutEntry entry : known.entries()) {
            violationLog.require(
                    !gone.countsAsFailed(known, entry),
                    Invariant.BUDGET,
                    known.key() + " was deleted, and its failures in " + entry.rolloutRef()
                            + " were forgotten with it");
        }
    }

    private void forgotten(MachineStatus known) {
        violationLog.require(
                known.attempt() == null,
                Invariant.SLOT_HISTORY,
                known.key() + " attempt " + known.attempt() + " was forgotten, and its slot with it");
        for (RolloutEntry entry : known.entries()) {
            violationLog.require(
                    !isOpen(entry.rolloutRef()),
                    entry.failedAttempts() > 0 ? Invariant.BUDGET : Invariant.HISTORY,
                    known.key() + " was forgotten, and with it what it was in " + entry.rolloutRef() + ": "
                            + entry.outcome() + " after " + entry.failedAttempts() + " failures");
        }
    }

    private boolean isOpen(RolloutRef rolloutRef) {
        CampaignStatus campaign = rows.campaign(rolloutRef);
        if (campaign != null) {
            return !campaign.state().isOver();
        }
        UpgradeIntent intent = rolloutRef instanceof RolloutRef.IntentRef of ? rows.intent(of.object()) : null;
        return intent != null && rolloutRef.equals(new RolloutRef.IntentRef(intent.object(), intent.since()));
    }

    private boolean isAnother(MachineStatus known, Decision decision) {
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
