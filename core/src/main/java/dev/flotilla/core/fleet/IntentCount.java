package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts how far the intent of an owner or a cluster is. */
final class IntentCount {
    private final Driver driver;
    private final boolean refused;
    private int total;
    private int succeeded;
    private int failed;
    private int open;

    /** Whether a member of a control plane has failed for good: until a person acts, everything else waits. */
    private boolean halted;

    private @Nullable MachineKey atWork;
    private ObjectStatus.@Nullable MachineFailure lastFailure;

    private IntentCount(Intent intent, boolean followed) {
        this.driver = IntentsRollout.driver(intent);
        this.refused = !followed;
    }

    static ObjectStatus of(Intent intent, boolean followed, List<Machine> machines) {
        IntentCount count = new IntentCount(intent, followed);
        machines.forEach(count::add);
        return new ObjectStatus(
                intent.object(),
                intent.uid(),
                intent.since(),
                intent.option(),
                count.state(),
                count.atWork,
                count.total,
                count.succeeded,
                count.failed,
                count.lastFailure);
    }

    private void add(Machine machine) {
        Entry entry = machine.entry(driver);
        if (machine.optOut() && entry == null) {
            return;
        }
        total++;
        Outcome outcome = entry == null ? Outcome.OPEN : entry.outcome();
        succeeded += outcome.atTarget() ? 1 : 0;
        failed += outcome == Outcome.QUARANTINED ? 1 : 0;
        open += outcome.ended() || machine.optOut() ? 0 : 1;
        halted |= outcome == Outcome.QUARANTINED && machine.isControlPlane();
        Attempt attempt = machine.attempt();
        if (atWork == null && attempt != null && attempt.driver().equals(driver)) {
            atWork = machine.key();
        }
        MachineStatus status = machine.status();
        Failure failure = status == null ? null : status.lastFailure();
        boolean ofThis = entry != null && entry.failedAttempts() > 0 && !outcome.atTarget();
        if (ofThis && failure != null && isLater(failure)) {
            lastFailure = new ObjectStatus.MachineFailure(machine.key(), failure);
        }
    }

    private boolean isLater(Failure failure) {
        return lastFailure == null || failure.attempt() > lastFailure.failure().attempt();
    }

    /** Without any machines it waits for the first: they may not be known yet. */
    private ObjectStatus.State state() {
        if (refused || (halted && atWork == null)) {
            return ObjectStatus.State.FAILED;
        }
        if (open > 0 || total == 0) {
            return ObjectStatus.State.IN_PROGRESS;
        }
        return failed > 0 ? ObjectStatus.State.FAILED : ObjectStatus.State.DONE;
    }
}
