package dev.flotilla.core.attempt;

import dev.flotilla.core.Draft;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a machine's status row after its attempt, or its standing with one driver, has changed. */
public final class AttemptEnd {
    private AttemptEnd() {}

    /**
     * Closes the attempt: the entry of its driver becomes this one, and the command goes. Where another machine has the name by
     * now, what is known of the one whose attempt it was goes too.
     */
    static void close(Draft draft, MachineStatus before, Entry entry, @Nullable Failure failure) {
        MachineStatus after =
                new MachineStatus(before.key(), before.uid(), null, failure, with(draft.state(), before, entry));
        Machine machine = draft.state().machine(before.key());
        if (machine != null && machine.isPresent() && !machine.isUid(before.uid())) {
            Departure.forget(draft, machine, after);
        } else {
            write(draft, after);
        }
        draft.remove(Table.COMMANDS, before.key());
    }

    /** The entries with one in place of its driver's, and without those of drivers that are no more. */
    public static List<Entry> with(FleetState state, @Nullable MachineStatus before, Entry entry) {
        if (before == null || before.entries().isEmpty()) {
            return List.of(entry);
        }
        if (before.entries().size() == 1 && before.entries().get(0).driver().equals(entry.driver())) {
            return List.of(entry);
        }
        List<Entry> entries = new ArrayList<>(before.entries().size() + 1);
        boolean placed = false;
        for (Entry known : before.entries()) {
            if (known.driver().equals(entry.driver())) {
                entries.add(entry);
                placed = true;
            } else if (state.rollout(known.driver()) != null) {
                entries.add(known);
            }
        }
        if (!placed) {
            entries.add(entry);
        }
        return entries;
    }

    /** The same with the entry last: it is that of the latest attempt. */
    static List<Entry> last(FleetState state, @Nullable MachineStatus before, Entry entry) {
        List<Entry> entries = new ArrayList<>(with(state, before, entry));
        entries.remove(entry);
        entries.add(entry);
        return entries;
    }

    /** A driver's entry in a status row, or a fresh one. */
    static Entry entry(MachineStatus status, Driver driver) {
        for (Entry entry : status.entries()) {
            if (entry.driver().equals(driver)) {
                return entry;
            }
        }
        return new Entry(driver, "", 0, null, dev.flotilla.schemas.row.Outcome.OPEN);
    }

    static void write(Draft draft, MachineStatus status) {
        boolean empty = status.attempt() == null
                && status.lastFailure() == null
                && status.entries().isEmpty();
        if (empty) {
            draft.remove(Table.STATUS, status.key());
        } else {
            draft.write(status);
        }
    }
}
