package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.IntColumn;
import dev.flotilla.core.fleet.column.IntToLongMap;
import dev.flotilla.core.fleet.column.ReferenceColumn;
import dev.flotilla.core.fleet.column.ValueInterner;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status rows of all machines. A row without an open attempt, failure and preparation, and with one ended entry, which is the
 * usual case, is stored compactly in eight bytes and relies on the inventory row for the rest; any other row is kept
 * whole.
 */
public final class MachineStatusTable {
    private static final MachineOutcome[] OUTCOMES = MachineOutcome.values();
    private static final int FAILED_BITS = 8;
    private static final int OUTCOME_BITS = 4;
    private static final int MAX_FAILED = (1 << FAILED_BITS) - 1;

    private final MachineTable machines;
    private final ReferenceColumn<MachineStatus> whole = new ReferenceColumn<>();
    private final IntColumn rolloutNumber = new IntColumn();
    private final IntColumn outcome = new IntColumn();
    private final ValueInterner<RolloutRef> rolloutRefs = new ValueInterner<>();
    private final ValueInterner<Placed> waves = new ValueInterner<>();

    /** What machines of a wave share: as many values as waves and their edits. */
    private record Placed(String wave, @Nullable UpgradeTarget target) {}

    /** Soak ends of machines with compact rows, for the few that have one. */
    private @Nullable IntToLongMap soakEnds;

    /** Numbers of the former revisions of machines with compact rows, if recorded. */
    private @Nullable IntToLongMap formerRevisions;

    private final ValueInterner<String> revisions = new ValueInterner<>();

    MachineStatusTable(MachineTable machines) {
        this.machines = machines;
    }

    void put(int row, MachineStatus value) {
        machines.mark(row, MachineTable.STATUS, true);
        RolloutEntry only = value.entries().size() == 1 ? value.entries().get(0) : null;
        boolean small = value.attempt() == null
                && value.lastFailure() == null
                && value.preparation() == null
                && only != null
                && only.retryAt() == null
                && only.quarantineSeq() == null
                && only.deferral() == null
                && only.failedAttempts() <= MAX_FAILED
                && only.rolloutRef() instanceof RolloutRef.CampaignRef
                && machines.has(row, MachineTable.ROW)
                && machines.uids.matches(row, value.uid());
        if (small && only != null) {
            rolloutNumber.set(row, rolloutRefs.numberOf(only.rolloutRef()));
            outcome.set(
                    row,
                    waves.numberOf(new Placed(only.wave(), only.target())) << (FAILED_BITS + OUTCOME_BITS)
                            | only.failedAttempts() << OUTCOME_BITS
                            | only.outcome().code());
            whole.set(row, null);
            setSoakUntil(row, only.soakUntil());
            setFromRevision(row, only.fromRevision());
        } else {
            whole.set(row, value);
        }
    }

    private void setFromRevision(int row, @Nullable String revision) {
        if (revision != null) {
            formerRevisions = formerRevisions == null ? new IntToLongMap() : formerRevisions;
            formerRevisions.put(row, revisions.numberOf(revision));
        } else if (formerRevisions != null) {
            formerRevisions.remove(row);
        }
    }

    private void setSoakUntil(int row, @Nullable Instant until) {
        if (until != null) {
            soakEnds = soakEnds == null ? new IntToLongMap() : soakEnds;
            soakEnds.put(row, until.toEpochMilli());
        } else if (soakEnds != null) {
            soakEnds.remove(row);
        }
    }

    /** Until when a machine's cluster soaks after its success, in milliseconds; negative for no soak. */
    public long soakUntil(int row) {
        MachineStatus held = whole.get(row);
        if (held == null) {
            return soakEnds == null ? IntToLongMap.ABSENT : soakEnds.get(row);
        }
        long last = IntToLongMap.ABSENT;
        List<RolloutEntry> entries = held.entries();
        for (int i = 0; i < entries.size(); i++) {
            Instant until = entries.get(i).soakUntil();
            last = until == null ? last : Math.max(last, until.toEpochMilli());
        }
        return last;
    }

    /** The number of the revision that a machine had at its first attempt for a rollout; zero if unknown. */
    int firstRevision(int row, RolloutRef by) {
        MachineStatus held = whole.get(row);
        if (held == null) {
            boolean its =
                    formerRevisions != null && isSmall(row) && by.equals(rolloutRefs.value(rolloutNumber.get(row)));
            return its && formerRevisions != null ? (int) Math.max(0, formerRevisions.get(row)) : 0;
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
        setSoakUntil(row, null);
        setFromRevision(row, null);
    }

    /** Stores a compact row whole before its inventory row changes. */
    void freeze(int row) {
        if (isSmall(row)) {
            whole.set(row, get(row));
        }
    }

    /** Stores a row compactly again, if possible. */
    void compact(int row) {
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

    /** The newest preparation; null for none. */
    public @Nullable MachinePreparation preparation(int row) {
        MachineStatus held = whole.get(row);
        return held == null ? null : held.preparation();
    }

    /** The row if it is kept whole: rows with an open attempt, a failure or a preparation always are. */
    public @Nullable MachineStatus whole(int row) {
        return whole.get(row);
    }

    public boolean isSmall(int row) {
        return machines.has(row, MachineTable.STATUS) && whole.get(row) == null;
    }

    /** The number of a rollout in compact rows. */
    public int number(RolloutRef value) {
        return rolloutRefs.numberOf(value);
    }

    public int rolloutNumber(int row) {
        return rolloutNumber.get(row);
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
        RolloutRef by = rolloutRefs.value(rolloutNumber.get(row));
        Placed placed = placed(row);
        if (by == null || placed == null) {
            throw new IllegalStateException("status of " + machines.key(row) + " has lost its entry");
        }
        long rest = soakEnds == null ? IntToLongMap.ABSENT : soakEnds.get(row);
        long from = formerRevisions == null ? IntToLongMap.ABSENT : formerRevisions.get(row);
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
