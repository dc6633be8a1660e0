package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.Table;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a machine is forgotten when another machine has its name, when it was being deleted and is gone, or when
 * nothing is open of it: an inventory row that is missing for a while gives back no slot, no failure and no skip.
 */
final class HistoryRules {
    private final Recount rows;
    private final Verdicts verdicts;
    private final FailuresOfGone gone;

    HistoryRules(Recount rows, Verdicts verdicts) {
        this.rows = rows;
        this.verdicts = verdicts;
        this.gone = new FailuresOfGone(rows);
    }

    /** Asked before the decision is put. */
    void check(Decision decision) {
        for (Fact fact : decision.facts()) {
            MachineStatus known = fact.at().table() == Table.STATUS && fact.at().key() instanceof MachineKey of
                    ? rows.status(of)
                    : null;
            if (known != null && known.attempt() != null && isLetGo(fact, decision)) {
                letGo(known, decision);
            }
            if (fact instanceof Gone && known != null) {
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
    private static boolean isLetGo(Fact status, Decision decision) {
        boolean said = decision.event() == Event.ATTEMPT_VANISHED || decision.event() == Event.INVENTORY_CHANGED;
        return said && (status instanceof Gone || (status instanceof MachineStatus now && now.attempt() == null));
    }

    /** Nothing but a deletion of the machine itself, and another node under its name, says that its node does not refresh. */
    private void letGo(MachineStatus known, Decision decision) {
        MachineRow before = rows.machine(known.key());
        MachineRow after = rowAfter(known.key(), decision);
        boolean deleted = before != null && before.uid().equals(known.uid()) && isDeleted(known.key(), decision);
        boolean otherNode = before != null && after != null && isOtherNode(before, after);
        verdicts.require(
                deleted || otherNode,
                Invariant.SLOT_HISTORY,
                known.key() + " attempt " + known.attempt() + " was forgotten, and its node may be there");
    }

    /** Its failures are counted by its campaigns. */
    private void replaced(MachineStatus known, Decision decision) {
        for (Entry entry : known.entries()) {
            CampaignStatus campaign = rows.campaign(entry.driver());
            boolean counted = decision.facts().stream()
                    .anyMatch(fact -> fact instanceof CampaignStatus next
                            && campaign != null
                            && next.uid() == campaign.uid()
                            && next.failuresOfGone() > campaign.failuresOfGone());
            verdicts.require(
                    counted || !gone.counts(known, entry) || known.attempt() != null,
                    Invariant.BUDGET,
                    known.key() + " was forgotten, and its failures in " + entry.driver() + " with it");
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
        for (Entry entry : known.entries()) {
            verdicts.require(
                    !gone.counts(known, entry),
                    Invariant.BUDGET,
                    known.key() + " was deleted, and its failures in " + entry.driver() + " were forgotten with it");
        }
    }

    private void forgotten(MachineStatus known) {
        verdicts.require(
                known.attempt() == null,
                Invariant.SLOT_HISTORY,
                known.key() + " attempt " + known.attempt() + " was forgotten, and its slot with it");
        for (Entry entry : known.entries()) {
            verdicts.require(
                    !isOpen(entry.driver()),
                    entry.failedAttempts() > 0 ? Invariant.BUDGET : Invariant.HISTORY,
                    known.key() + " was forgotten, and with it what it was in " + entry.driver() + ": "
                            + entry.outcome() + " after " + entry.failedAttempts() + " failures");
        }
    }

    private boolean isOpen(Driver driver) {
        CampaignStatus campaign = rows.campaign(driver);
        if (campaign != null) {
            return !campaign.state().over();
        }
        Intent intent = driver instanceof Driver.OfIntent of ? rows.intent(of.object()) : null;
        return intent != null && driver.equals(new Driver.OfIntent(intent.object(), intent.since()));
    }

    private boolean isAnother(MachineStatus known, Decision decision) {
        MachineRow row = rowAfter(known.key(), decision);
        return row != null && !row.uid().equals(known.uid());
    }

    private @Nullable MachineRow rowAfter(MachineKey key, Decision decision) {
        MachineRow row = rows.machine(key);
        for (Fact fact : decision.facts()) {
            if (fact instanceof MachineRow next && next.key().equals(key)) {
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
                && decision.facts().stream()
                        .anyMatch(fact -> fact instanceof Gone && fact.at().equals(at));
    }
}
