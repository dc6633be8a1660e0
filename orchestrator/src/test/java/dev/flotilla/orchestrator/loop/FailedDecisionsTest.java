package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import org.junit.jupiter.api.Test;

/** What could not be decided twice is parked once: the row that says so may be taken away, and the machine replaced. */
class FailedDecisionsTest {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "m");

    private final FailedDecisions failed = new FailedDecisions();

    @Test
    void isParkedAfterTheSecondTime() {
        fail();
        assertThat(failed.takeParked()).isEmpty();
        fail();
        assertThat(failed.takeParked()).containsExactly(MACHINE);
    }

    @Test
    void isNotParkedAgainByALaterTermOfTheSameProcess() {
        fail();
        fail();
        failed.takeParked();
        assertThat(failed.takeParked()).isEmpty();
        fail();
        assertThat(failed.takeParked()).isEmpty();
    }

    private void fail() {
        try {
            Decision never = DecisionFailedException.runFor(MACHINE, () -> {
                throw new IllegalStateException("a bug");
            });
            throw new AssertionError(String.valueOf(never));
        } catch (DecisionFailedException bug) {
            failed.note(bug);
        }
    }
}
