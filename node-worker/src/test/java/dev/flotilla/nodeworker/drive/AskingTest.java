package dev.flotilla.nodeworker.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.WaitReason;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AskingTest {
    private static final long INTERVAL = 5_000;

    private final Asking asking = new Asking(Duration.ofMillis(INTERVAL), new SplittableRandom(1));

    private static Asking.Kind kind(String machineClass) {
        return new Asking.Kind(MachineRole.WORKER, machineClass);
    }

    private void ended(Asking.Kind kind, long millis) {
        for (int i = 0; i < 20; i++) {
            asking.ended(kind, millis);
        }
    }

    private long first(Asking.Kind kind) {
        return asking.length(WaitReason.CHANGE, kind, 0);
    }

    @Test
    void eachClassIsAskedAtItsOwnPace() {
        ended(kind("quick"), 60_000);
        ended(kind("slow"), 600_000);
        assertThat(first(kind("quick"))).isBetween(50_000L, 60_000L);
        assertThat(first(kind("slow"))).isBetween(590_000L, 600_000L);
        assertThat(first(kind(null))).as("of which nothing is known").isLessThan(2 * INTERVAL);
        assertThat(first(new Asking.Kind(MachineRole.CONTROL_PLANE, "slow"))).isLessThan(2 * INTERVAL);
    }

    @Test
    void whatIsBeyondTheRoomForClassesSharesThePaceOfItsRole() {
        for (int i = 0; i < Asking.MOST_KINDS; i++) {
            asking.ended(kind("disk-" + i), 60_000);
        }
        ended(kind("another"), 600_000);
        assertThat(first(kind("yet another"))).isBetween(590_000L, 600_000L);
        assertThat(first(kind("disk-1"))).isLessThan(2 * INTERVAL);
    }
}
