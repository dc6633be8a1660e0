package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.IntColumn;
import dev.flotilla.core.fleet.column.IntToLongMap;
import dev.flotilla.core.fleet.column.ReferenceColumn;
import dev.flotilla.core.fleet.column.ValueInterner;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status rows of all machines. One with nothing open, no failure and one ended entry (what nearly all are, nearly always)
 * takes eight bytes, and leans on the inventory row for the rest; any other is kept as it came.
 */
public final class MachineStatusTable {
    private static final MachineOutcome[] OUTCOMES = MachineOutcome.values();
    private static final int FAILED_BITS = 8;
    private static final int OUTCOME_BITS = 4;
    private static final int MAX_FAILED = (1 << FAILED_BITS) - 1;

    private final MachineTable machines;
    private final ReferenceColumn<MachineStatus> whole = new ReferenceColumn<>();
    private final IntColumn driver = new IntColumn();
    private final IntColumn outcome = new IntColumn();
    private final ValueInterner<RolloutRef> drivers = new ValueInterner<>();
    private final ValueInterner<Placed> waves = new ValueInterner<>();

    /** What machines of a wave have in common: there are as many as waves and their editions. */
    private record Placed(String wave, @Nullable UpgradeTarget target) {}

    /** Until when the clusters of small rows rest, of the few that say so. */
    private @Nullable IntToLongMap rests;

    /** The numbers of the revisions that machines of small rows had, where that is kept. */
    private @Nullable IntToLongMap froms;

    private final ValueInterner<String> revisions = new ValueInterner<>();

    MachineStatusTable(MachineTable machines) {
        this.machines = machines;
    }

    void put(int row, MachineStatus value) {
        machines.mark(row, MachineTable.STATUS, true);
        RolloutEntry only = value.entries().size() == 1 ? value.entries().get(0) : null;
        boolean small = value.attempt() == null
                && value.lastFailure() == null
                && only != null
                && only.retryAt() == null
                && only.quarantineSeq() == null
                && only.deferral() == null
                && only.failedAttempts() <= MAX_FAILED
                && only.rolloutRef() instanceof RolloutRef.CampaignRef
                && machines.has(row, MachineTable.ROW)
                && machines.uids.matches(row, value.uid());
        if (small && only != null) {
            driver.set(row, drivers.numberOf(only.rolloutRef()));
            outcome.set(
                    row,
                    waves.numberOf(new Placed(only.wave(), only.target())) << (FAILED_BITS + OUTCOME_BITS)
                            | only.failedAttempts() << OUTCOME_BITS
                            | only.outcome().code());
            whole.set(row, null);
            rest(row, only.soakUntil());
            from(row, only.fromRevision());
        } else {
            whole.set(row, value);
        }
    }

    private void from(int row, @Nullable String revision) {
        if (revision != null) {
            froms = froms == null ? new IntToLongMap() : froms;
            froms.put(row, revisions.numberOf(revision));
        } else if (froms != null) {
            froms.remove(row);
        }
    }

    private void rest(int row, @Nullable Instant until) {
        if (until != null) {
            rests = rests == null ? new IntToLongMap() : rests;
            rests.put(row, until.toEpochMilli());
        } else if (rests != null) {
            rests.remove(row);
        }
    }

    /** Until when a machine's cluster rests after its success, in milliseconds; below zero where it need not. */
    public long soakUntil(int row) {
        MachineStatus held = whole.get(row);
        if (held == null) {
            return rests == null ? IntToLongMap.ABSENT : rests.get(row);
        }
        long last = IntToLongMap.ABSENT;
        List<RolloutEntry> entries = held.entries();
        for (int i = 0; i < entries.size(); i++) {
            Instant until = entries.get(i).soakUntil();
            last = until == null ? last : Math.max(last, until.toEpochMilli());
        }
        return last;
    }

    /** The number of the revision that a machine had when a driver first tried it; zero where that is not known. */
    int firstRevision(int row, RolloutRef by) {
        MachineStatus held = whole.get(row);
        if (held == null) {
            boolean its = froms != null && isSmall(row) && by.equals(drivers.value(driver.get(row)));
            return its && froms != null ? (int) Math.max(0, froms.get(row)) : 0;
        }
        List<RolloutEntry> entries = held.entries();
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).rolloutRef().equals(by)) {
                return revisions.numberOf(entries.get(i).fromRevision());
            }
        }
        return 0;
    }

    public @Nullable String revision(int number) {
        return revisions.value(number);
    }

    void clear(int row) {
        machines.mark(row, MachineTable.STATUS, false);
        whole.set(row, null);
        rest(row, null);
        from(row, null);
    }

    /** Keeps a small row whole before the inventory row that it leans on changes. */
    void freeze(int row) {
        if (isSmall(row)) {
            whole.set(row, get(row));
        }
    }

    /** Makes a row small again, where it can be. */
    void settle(int row) {
        MachineStatus held = whole.get(row);
        if (held != null) {
            put(row, held);
        }
    }

    @Nullable
    MachineStatus get(int row) {
        if (!machines.has(row, MachineTable.STATUS)) {
            return null;
        }
        MachineStatus held = whole.get(row);
        return held != null
                ? held
                : new MachineStatus(machines.key(row), machines.uids.get(row), null, null, List.of(entry(row)));
    }

    public @Nullable UpgradeAttempt attempt(int row) {
        MachineStatus held = whole.get(row);
        return held == null ? null : held.attempt();
    }

    /** The row if it is kept whole: all that have something open or have failed are. */
    public @Nullable MachineStatus whole(int row) {
        return whole.get(row);
    }

    public boolean isSmall(int row) {
        return machines.has(row, MachineTable.STATUS) && whole.get(row) == null;
    }

    /** The number that stands for a driver in small rows. */
    public int number(RolloutRef value) {
        return drivers.numberOf(value);
    }

    public int driver(int row) {
        return driver.get(row);
    }

    public MachineOutcome outcome(int row) {
        return OUTCOMES[outcome.get(row) & (1 << OUTCOME_BITS) - 1];
    }

    public @Nullable String wave(int row) {
        Placed placed = placed(row);
        return placed == null ? null : placed.wave();
    }

    private @Nullable Placed placed(int row) {
        return waves.value(outcome.get(row) >>> (FAILED_BITS + OUTCOME_BITS));
    }

    private RolloutEntry entry(int row) {
        RolloutRef by = drivers.value(driver.get(row));
        Placed placed = placed(row);
        if (by == null || placed == null) {
            throw new IllegalStateException("status of " + machines.key(row) + " has lost its entry");
        }
        long rest = rests == null ? IntToLongMap.ABSENT : rests.get(row);
        long from = froms == null ? IntToLongMap.ABSENT : froms.get(row);
        return new RolloutEntry(
                by,
                placed.wave(),
                outcome.get(row) >>> OUTCOME_BITS & MAX_FAILED,
                null,
                rest < 0 ? null : Instant.ofEpochMilli(rest),
                revision((int) Math.max(0, from)),
                outcome(row),
                null,
                placed.target(),
                null);
    }
}
