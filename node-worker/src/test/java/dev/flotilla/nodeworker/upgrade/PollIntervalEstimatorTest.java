package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.WaitReason;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PollIntervalEstimatorTest {
    private static final long INTERVAL = 5_000;

    private final PollIntervalEstimator pollIntervalEstimator =
            new PollIntervalEstimator(Duration.ofMillis(INTERVAL), new SplittableRandom(1));

    private static PollIntervalEstimator.MachineKind kind(String machineClass) {
        return new PollIntervalEstimator.MachineKind(MachineRole.WORKER, machineClass);
    }

    private void ended(PollIntervalEstimator.MachineKind machineKind, long millis) {
        for (int i = 0; i < 20; i++) {
            pollIntervalEstimator.recordDuration(machineKind, millis);
        }
    }

    private long first(PollIntervalEstimator.MachineKind machineKind) {
        return pollIntervalEstimator.intervalMillis(WaitReason.CHANGE, machineKind, 0);
    }

    @Test
    void eachClassIsAskedAtItsOwnPace() {
        ended(kind("quick"), 60_000);
        ended(kind("slow"), 600_000);
        assertThat(first(kind("quick"))).isBetween(50_000L, 60_000L);
        assertThat(first(kind("slow"))).isBetween(590_000L, 600_000L);
        assertThat(first(kind(null))).as("of which nothing is known").isLessThan(2 * INTERVAL);
        assertThat(first(new PollIntervalEstimator.MachineKind(MachineRole.CONTROL_PLANE, "slow")))
                .isLessThan(2 * INTERVAL);
    }

    @Test
    void whatIsBeyondTheRoomForClassesSharesThePaceOfItsRole() {
        for (int i = 0; i < PollIntervalEstimator.MAX_KINDS; i++) {
            pollIntervalEstimator.recordDuration(kind("disk-" + i), 60_000);
        }
        ended(kind("another"), 600_000);
        assertThat(first(kind("yet another"))).isBetween(590_000L, 600_000L);
        assertThat(first(kind("disk-1"))).isLessThan(2 * INTERVAL);
    }
}
