package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * A deliberate bug: a decider that throws on some records and on some due work, the same in every process, until the
 * bug is fixed. The state that it has refreshed before it throws is unusable.
 *
 * @param active whether the bug is not fixed yet
 * @param salt selects the records
 * @param oneIn throws on one of this many records
 * @param oneDueIn throws on one of this many pieces of due work, by subject and event
 */
public record CrashingDecider(Decider real, BooleanSupplier active, long salt, int oneIn, int oneDueIn)
        implements Decider {
    /** The exception of the injected bug. Any other exception is an unintended bug. */
    static final class InjectedBugException extends RuntimeException {
        private static final long serialVersionUID = 1;

        InjectedBugException(String subject) {
            super("injected bug: cannot decide on " + subject);
        }
    }

    @Override
    public Decision decide(FleetState state, DecisionInput input) {
        Decision decision = real.decide(state, input);
        if (input instanceof DecisionInput.RecordReceived recordReceived
                && active.getAsBoolean()
                && throwsOn(recordReceived)) {
            throw new InjectedBugException(recordReceived.change().rowKey() + " at offset " + recordReceived.offset());
        }
        EntityKey subject = decision.subject();
        if (input instanceof DecisionInput.TimePassed
                && subject != null
                && active.getAsBoolean()
                && throwsOn(decision, subject)) {
            return DecisionFailedException.runFor(subject, () -> {
                throw new InjectedBugException(decision.event().label() + " of " + subject);
            });
        }
        return decision;
    }

    @Override
    public void refreshDerivedState(FleetState state, Instant now) {
        real.refreshDerivedState(state, now);
    }

    private boolean throwsOn(DecisionInput.RecordReceived recordReceived) {
        RowChange rowChange = recordReceived.change();
        boolean isSiteInput = rowChange instanceof MachineRow
                || rowChange instanceof ClusterRow
                || rowChange instanceof UpgradeIntent
                || rowChange instanceof AttemptProgress;
        return isSiteInput
                && isSelected(rowChange.rowKey().toString().hashCode() * 31L + recordReceived.offset(), oneIn);
    }

    private boolean throwsOn(Decision decision, EntityKey subject) {
        String what = decision.event().label() + " " + subject;
        return oneDueIn > 0 && isSelected(what.hashCode(), oneDueIn);
    }

    private boolean isSelected(long number, int in) {
        long hash = salt ^ number * 0x9E3779B97F4A7C15L;
        return Long.remainderUnsigned(hash ^ (hash >>> 29), in) == 0;
    }
}
