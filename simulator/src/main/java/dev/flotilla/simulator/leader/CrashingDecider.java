package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.core.DecisionInput;
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
 * A bug on purpose: a core that throws on some records and on some of what falls due by itself, on the same in every process,
 * until the bug is mended. What it has brought up to date before it throws is of no use any more.
 *
 * @param active until the bug is mended
 * @param salt which records those are
 * @param oneIn of so many records one
 * @param oneDueIn of so many things that fall due, by what they are about and what is to happen, one
 */
public record CrashingDecider(Decider real, BooleanSupplier active, long salt, int oneIn, int oneDueIn)
        implements Decider {
    /** What it throws. Anything else that is thrown is a bug that nobody meant. */
    static final class InjectedBugException extends RuntimeException {
        private static final long serialVersionUID = 1;

        InjectedBugException(String about) {
            super("tripped over " + about);
        }
    }

    @Override
    public Decision decide(FleetState state, DecisionInput input) {
        Decision decision = real.decide(state, input);
        if (input instanceof DecisionInput.RecordReceived recordReceived
                && active.getAsBoolean()
                && trips(recordReceived)) {
            throw new InjectedBugException(recordReceived.change().rowKey() + " at offset " + recordReceived.offset());
        }
        EntityKey subject = decision.subject();
        if (input instanceof DecisionInput.TimePassed
                && subject != null
                && active.getAsBoolean()
                && trips(decision, subject)) {
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

    private boolean trips(DecisionInput.RecordReceived recordReceived) {
        RowChange rowChange = recordReceived.change();
        boolean ofSite = rowChange instanceof MachineRow
                || rowChange instanceof ClusterRow
                || rowChange instanceof UpgradeIntent
                || rowChange instanceof AttemptProgress;
        return ofSite && isOne(rowChange.rowKey().toString().hashCode() * 31L + recordReceived.offset(), oneIn);
    }

    private boolean trips(Decision decision, EntityKey subject) {
        String what = decision.event().label() + " " + subject;
        return oneDueIn > 0 && isOne(what.hashCode(), oneDueIn);
    }

    private boolean isOne(long number, int in) {
        long hash = salt ^ number * 0x9E3779B97F4A7C15L;
        return Long.remainderUnsigned(hash ^ (hash >>> 29), in) == 0;
    }
}
