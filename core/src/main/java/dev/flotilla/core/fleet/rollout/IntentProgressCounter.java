package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the progress of an owner's or cluster's intent. */
public final class IntentProgressCounter {
    private final RolloutRef rolloutRef;
    private final boolean isRejected;
    private int total;
    private int succeeded;
    private int failed;
    private int open;

    /** Whether a control-plane member is quarantined: everything else waits until an operator acts. */
    private boolean isStuck;

    private @Nullable MachineKey currentMachine;
    private IntentStatus.@Nullable MachineFailure lastFailure;

    private IntentProgressCounter(UpgradeIntent intent, boolean isAllowed) {
        this.rolloutRef = SiteIntentsRollout.rolloutRefFor(intent);
        this.isRejected = !isAllowed;
    }

    public static IntentStatus count(UpgradeIntent intent, boolean isAllowed, List<MachineView> machines) {
        IntentProgressCounter count = new IntentProgressCounter(intent, isAllowed);
        machines.forEach(count::add);
        return new IntentStatus(
                intent.object(),
                intent.uid(),
                intent.requestedAt(),
                intent.target(),
                count.state(),
                count.currentMachine,
                count.total,
                count.succeeded,
                count.failed,
                count.lastFailure);
    }

    private void add(MachineView machine) {
        RolloutEntry entry = machine.entry(rolloutRef);
        if (machine.optOut() && entry == null) {
            return;
        }
        total++;
        MachineOutcome outcome = entry == null ? MachineOutcome.OPEN : entry.outcome();
        succeeded += outcome.isAtTarget() ? 1 : 0;
        failed += outcome == MachineOutcome.QUARANTINED ? 1 : 0;
        open += outcome.hasEnded() || machine.optOut() ? 0 : 1;
        isStuck |= outcome == MachineOutcome.QUARANTINED && machine.isControlPlane();
        UpgradeAttempt attempt = machine.attempt();
        if (currentMachine == null && attempt != null && attempt.rolloutRef().equals(rolloutRef)) {
            currentMachine = machine.key();
        }
        MachineStatus status = machine.status();
        AttemptFailure failure = status == null ? null : status.lastFailure();
        boolean ofThis = entry != null && entry.failedAttempts() > 0 && !outcome.isAtTarget();
        if (ofThis && failure != null && isLater(failure)) {
            lastFailure = new IntentStatus.MachineFailure(machine.key(), failure);
        }
    }

    private boolean isLater(AttemptFailure failure) {
        return lastFailure == null
                || failure.attemptId() > lastFailure.failure().attemptId();
    }

    /** Without machines it waits for the first, which may not be known yet. */
    private IntentStatus.IntentState state() {
        if (isRejected || (isStuck && currentMachine == null)) {
            return IntentStatus.IntentState.FAILED;
        }
        if (open > 0 || total == 0) {
            return IntentStatus.IntentState.IN_PROGRESS;
        }
        return failed > 0 ? IntentStatus.IntentState.FAILED : IntentStatus.IntentState.DONE;
    }
}
