package dev.flotilla.core.preparation;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.start.GateEvaluator;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.core.fleet.time.PreparationLimits;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.List;

/** Has the machine prepared that is due next. */
public final class PreparationStartDecider {
    private PreparationStartDecider() {}

    /** Begins the preparation that is due, if the gates allow one. */
    public static Decision decideNext(DecisionBuilder draft, GateEvaluator gateEvaluator) {
        StartCandidate candidate = draft.state().dueWork().selectNextPreparation(gateEvaluator, draft.at());
        return candidate == null
                ? Decision.NOTHING
                : DecisionFailedException.runFor(candidate.machine().key(), () -> begin(draft, candidate));
    }

    private static Decision begin(DecisionBuilder draft, StartCandidate candidate) {
        MachineView machine = candidate.machine();
        NodeUpgradeTemplateRef template = machine.nodeUpgradeTemplate();
        if (template == null) {
            throw new IllegalStateException("no policy names the template of " + machine.key());
        }
        UpgradeTarget target = candidate.preparedTarget();
        MachineStatus before = machine.status();
        MachinePreparation known = before == null ? null : before.preparation();
        // The candidate is judged at the time at which its machine may start.
        Instant startsAt = candidate.now();
        Instant deadline = deadline(draft.at(), startsAt);
        Instant leaseExpiresAt = earlier(draft.at().plus(CommandLeaseTimeouts.DURATION), deadline);
        MachinePreparation preparation = new MachinePreparation(
                draft.seq(),
                candidate.rolloutRef(),
                target,
                template,
                known != null && known.isFor(target, template) ? known.failures() : 0,
                new PreparationProgress.Preparing(deadline));
        draft.write(
                before == null
                        ? new MachineStatus(machine.key(), machine.uid(), null, null, List.of(), preparation)
                        : before.withPreparation(preparation));
        draft.write(new WorkerCommand.PrepareMachine(
                machine.key(), machine.uid(), draft.seq(), machine.role(), target, leaseExpiresAt, deadline, template));
        return draft.build(DecisionEvent.PREPARATION_STARTED, machine.key(), "");
    }

    /** A preparation must have ended when its machine may start; one that is held back by its wave has the whole time. */
    private static Instant deadline(Instant now, Instant startsAt) {
        Instant end = now.plus(PreparationLimits.DURATION);
        return startsAt.isAfter(now) ? earlier(end, startsAt) : end;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
