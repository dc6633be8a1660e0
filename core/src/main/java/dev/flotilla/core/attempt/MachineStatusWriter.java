package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the status row of a machine after its attempt or one of its rollout entries has changed. */
public final class MachineStatusWriter {
    private MachineStatusWriter() {}

    /**
     * Closes the attempt: replaces the entry of its rollout and removes the command. If another machine has the name by
     * now, the status of the attempt's machine is removed too.
     */
    static void closeAttempt(
            DecisionBuilder draft, MachineStatus before, RolloutEntry entry, @Nullable AttemptFailure failure) {
        // After a failure the next attempt fetches all it needs again: what was fetched may be lost or wrong.
        boolean keepsPreparation =
                entry.outcome() == MachineOutcome.OPEN && Objects.equals(failure, before.lastFailure());
        MachineStatus after = new MachineStatus(
                before.key(),
                before.uid(),
                null,
                failure,
                withEntry(draft.state(), before, entry),
                keepsPreparation ? before.preparation() : null);
        MachineView machine = draft.state().machine(before.key());
        if (machine != null && machine.isPresent() && !machine.isUid(before.uid())) {
            RemovedMachineDecider.removeStatus(draft, machine, after);
        } else {
            writeStatus(draft, after);
        }
        draft.remove(Table.COMMANDS, before.key());
    }

    /**
     * The entries with the given one in place of its rollout's, and without those of rollouts that no longer exist. The
     * latest attempt's entry stays: it has the release that the machine was upgraded to.
     */
    public static List<RolloutEntry> withEntry(FleetState state, @Nullable MachineStatus before, RolloutEntry entry) {
        return withEntry(state, before, entry, before == null ? null : before.latestEntry());
    }

    /** The status with an entry of a rollout that has made no attempt: it comes first, because the latest attempt's comes last. */
    static MachineStatus withOtherEntry(FleetState state, MachineStatus before, RolloutEntry entry) {
        List<RolloutEntry> entries = new ArrayList<>(withEntry(state, before, entry));
        entries.remove(entry);
        entries.addFirst(entry);
        return before.withEntries(entries);
    }

    /** The status with an entry in place of another one, whose rollout it replaces. */
    static MachineStatus withEntryInPlaceOf(MachineStatus before, RolloutEntry replaced, RolloutEntry entry) {
        return before.withEntries(before.entries().stream()
                .filter(known -> known.equals(replaced) || !known.rolloutRef().equals(entry.rolloutRef()))
                .map(known -> known.equals(replaced) ? entry : known)
                .toList());
    }

    /** The same for a new attempt, whose entry comes last. */
    static List<RolloutEntry> lastEntry(FleetState state, @Nullable MachineStatus before, RolloutEntry entry) {
        List<RolloutEntry> entries = new ArrayList<>(withEntry(state, before, entry, null));
        entries.remove(entry);
        entries.add(entry);
        return entries;
    }

    private static List<RolloutEntry> withEntry(
            FleetState state, @Nullable MachineStatus before, RolloutEntry entry, @Nullable RolloutEntry kept) {
        if (before == null || before.entries().isEmpty()) {
            return List.of(entry);
        }
        List<RolloutEntry> entries = new ArrayList<>(before.entries().size() + 1);
        boolean replaced = false;
        for (RolloutEntry known : before.entries()) {
            if (known.rolloutRef().equals(entry.rolloutRef())) {
                entries.add(entry);
                replaced = true;
            } else if (known.equals(kept) || state.rollout(known.rolloutRef()) != null) {
                entries.add(known);
            }
        }
        if (!replaced) {
            entries.add(entry);
        }
        return entries;
    }

    /** The entry of a rollout in a status row, or a new one. */
    static RolloutEntry entryOf(MachineStatus status, RolloutRef rolloutRef) {
        for (RolloutEntry entry : status.entries()) {
            if (entry.rolloutRef().equals(rolloutRef)) {
                return entry;
            }
        }
        return new RolloutEntry(rolloutRef, "", 0, null, MachineOutcome.OPEN);
    }

    /** Writes a status row; removes it if it says nothing. */
    public static void writeStatus(DecisionBuilder draft, MachineStatus status) {
        boolean empty = status.attempt() == null
                && status.lastFailure() == null
                && status.preparation() == null
                && status.entries().isEmpty();
        if (empty) {
            draft.remove(Table.STATUS, status.key());
        } else {
            draft.write(status);
        }
    }
}
