package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.GateEvaluator;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Admits the machine that starts next. */
public final class AttemptAdmissionDecider {
    private AttemptAdmissionDecider() {}

    /** Admits the machine that goes first, if one may start now. */
    public static Decision decideNext(DecisionBuilder draft, GateEvaluator gateEvaluator) {
        StartCandidate candidate = draft.state().selectNextStart(gateEvaluator, draft.at(), draft.seq());
        return candidate == null
                ? Decision.NOTHING
                : DecisionFailedException.runFor(candidate.machine().key(), () -> admit(draft, candidate));
    }

    private static Decision admit(DecisionBuilder draft, StartCandidate candidate) {
        MachineView machine = candidate.machine();
        MachineKey key = machine.key();
        RolloutRef rolloutRef = candidate.rolloutRef();
        UpgradeTarget target = candidate.target();
        UpgradeIntent intent = draft.state().intent(key);
        MachineStatus fulfilled = intent != null && intent.target().equals(target)
                ? FulfilledTask.byLastAttempt(draft.state(), intent, machine)
                : null;
        if (fulfilled != null) {
            return draft.write(fulfilled).build(DecisionEvent.INTENT_CHANGED, key, "the machine is what it asks for");
        }
        Instant leaseExpiresAt = WorkerCommandFactory.leaseExpiry(candidate, draft.at());
        @Nullable MachineStatus before = machine.status();
        UpgradeAttempt attempt = new UpgradeAttempt(
                draft.seq(),
                rolloutRef,
                target,
                new AttemptState.Admitted(leaseExpiresAt),
                draft.at(),
                false,
                new AttemptMachineSnapshot(
                        candidate.cluster().key().name(),
                        machine.role(),
                        machine.provider(),
                        candidate.nodeUpgradeTemplate()));
        List<RolloutEntry> entries =
                MachineStatusWriter.lastEntry(draft.state(), before, openEntry(candidate, before, rolloutRef));
        MachineStatus status = new MachineStatus(
                key,
                machine.uid(),
                attempt,
                before == null ? null : before.lastFailure(),
                entries,
                machine.isPreparedFor(target) ? machine.preparation() : null);
        draft.write(status)
                .write(WorkerCommandFactory.upgradeCommand(
                        draft.state(), candidate.rollout(), machine, status, attempt, leaseExpiresAt));
        return draft.build(DecisionEvent.ATTEMPT_ADMITTED, key, "");
    }

    private static RolloutEntry openEntry(
            StartCandidate candidate, @Nullable MachineStatus before, RolloutRef rolloutRef) {
        RolloutEntry previous = before == null ? null : MachineStatusWriter.entryOf(before, rolloutRef);
        String wave = candidate.rollout() instanceof CampaignRollout campaign
                ? campaign.waves().get(candidate.backlog().wave()).wave().name()
                : "";
        String fromRevision =
                candidate.rollout().tracksCohorts() ? candidate.machine().revision() : null;
        return new RolloutEntry(
                rolloutRef,
                wave,
                previous == null ? 0 : previous.failedAttempts(),
                null,
                null,
                fromRevision,
                MachineOutcome.OPEN,
                null,
                candidate.rollout().targetOf(candidate.machine()),
                previous == null ? null : previous.deferral());
    }
}
