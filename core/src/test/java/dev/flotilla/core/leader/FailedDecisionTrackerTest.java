package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import org.junit.jupiter.api.Test;

/**
 * Tests that a subject whose decision failed twice is parked once: an operator may remove the row, or the machine may
 * be replaced.
 */
class FailedDecisionTrackerTest {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "m");

    private final FailedDecisionTracker failed = new FailedDecisionTracker();

    @Test
    void parksASubjectAfterTheSecondFailure() {
        fail();
        assertThat(failed.removeParked()).isEmpty();
        fail();
        assertThat(failed.removeParked()).containsExactly(MACHINE);
    }

    @Test
    void doesNotParkASubjectAgainInALaterTerm() {
        fail();
        fail();
        failed.removeParked();
        assertThat(failed.removeParked()).isEmpty();
        fail();
        assertThat(failed.removeParked()).isEmpty();
    }

    private void fail() {
        try {
            Decision never = DecisionFailedException.runFor(MACHINE, () -> {
                throw new IllegalStateException("a bug");
            });
            throw new AssertionError(String.valueOf(never));
        } catch (DecisionFailedException bug) {
            failed.countFailure(bug);
        }
    }
}
