package dev.flotilla.managementwatcher.stub;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fake orchestrator of one site: it writes the rows of {@code status} that a test wants. */
public final class FakeOrchestrator {
    private final WatchedTestSite site;
    private final Map<MachineKey, UpgradeTarget> targets = new HashMap<>();
    private final Map<MachineKey, Long> attempts = new HashMap<>();
    private long seq = 16;

    public FakeOrchestrator(WatchedTestSite site) {
        this.site = site;
    }

    /** Waits for the intent of an object. */
    public UpgradeIntent awaitIntent(ObjectKey object) {
        site.await("the intent of " + object, () -> site.readIntent(object) != null);
        return (UpgradeIntent) Objects.requireNonNull(site.readIntent(object));
    }

    public static RolloutRef rolloutRefOf(UpgradeIntent intent) {
        return new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
    }

    /** Opens an attempt, and returns its number. */
    public long admitAttempt(MachineKey machine, RolloutRef rolloutRef, UpgradeTarget target) {
        attempts.put(machine, ++seq);
        open(machine, rolloutRef, target, new AttemptState.Admitted(now()));
        return seq;
    }

    public void reportRefreshing(MachineKey machine, RolloutRef rolloutRef, UpgradeTarget target, String changeId) {
        open(machine, rolloutRef, target, new AttemptState.Running(AttemptStep.REFRESHING, changeId, now()));
    }

    private void open(MachineKey machine, RolloutRef rolloutRef, UpgradeTarget target, AttemptState state) {
        UpgradeAttempt attempt = new UpgradeAttempt(attemptOf(machine), rolloutRef, target, state, now(), false, null);
        targets.put(machine, target);
        write(machine, attempt, null, entry(machine, rolloutRef, 0, MachineOutcome.OPEN));
    }

    public void reportSuccess(MachineKey machine, RolloutRef rolloutRef) {
        write(machine, null, null, entry(machine, rolloutRef, 0, MachineOutcome.SUCCEEDED));
    }

    public void reportFailure(MachineKey machine, RolloutRef rolloutRef, String message) {
        AttemptFailure failure = new AttemptFailure(
                attemptOf(machine), FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, message, now());
        write(machine, null, failure, entry(machine, rolloutRef, 1, MachineOutcome.QUARANTINED));
    }

    private long attemptOf(MachineKey machine) {
        return Objects.requireNonNull(attempts.get(machine), "an attempt of " + machine);
    }

    private RolloutEntry entry(MachineKey machine, RolloutRef rolloutRef, int failed, MachineOutcome outcome) {
        return new RolloutEntry(rolloutRef, "", failed, null, null, null, outcome, null, targets.get(machine), null);
    }

    private void write(
            MachineKey machine,
            @Nullable UpgradeAttempt attempt,
            @Nullable AttemptFailure failure,
            RolloutEntry entry) {
        site.await("the row of " + machine, () -> site.readInventory(machine) != null);
        String uid = ((MachineRow) Objects.requireNonNull(site.readInventory(machine))).uid();
        site.write(new MachineStatus(machine, uid, attempt, failure, List.of(entry)));
    }

    /** Writes the rows of a whole upgrade of one machine. */
    public void runUpgrade(MachineKey machine, RolloutRef rolloutRef, UpgradeTarget target) {
        admitAttempt(machine, rolloutRef, target);
        reportRefreshing(machine, rolloutRef, target, Long.toString(seq));
        reportSuccess(machine, rolloutRef);
    }

    public void writeIntentStatus(
            UpgradeIntent intent,
            IntentStatus.IntentState state,
            @Nullable MachineKey currentMachine,
            int machines,
            int done) {
        int failed = state == IntentStatus.IntentState.FAILED ? machines - done : 0;
        site.write(new IntentStatus(
                intent.object(),
                intent.uid(),
                intent.requestedAt(),
                intent.target(),
                state,
                currentMachine,
                machines,
                done,
                failed,
                null));
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
