package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.process.ProcessClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UpgradeStartLimiterTest {
    private long now;
    private final LoopTaskQueue loopTaskQueue = new LoopTaskQueue(new ProcessClock() {
        @Override
        public long wallMillis() {
            return now;
        }

        @Override
        public long monotonicNanos() {
            return TimeUnit.MILLISECONDS.toNanos(now);
        }
    });
    private final UpgradeStartLimiter upgradeStartLimiter = new UpgradeStartLimiter(loopTaskQueue);
    private final List<String> done = new ArrayList<>();

    @Test
    void grantsTheNextSlotWhenOneIsReleased() {
        List<UpgradeStartLimiter.StartSlot> first = fill();
        UpgradeStartLimiter.StartSlot next = upgradeStartLimiter.newSlot();
        next.runWithSlot(() -> done.add("next looks"));
        assertThat(done).isEmpty();

        first.getFirst().releaseSlot();
        assertThat(done).containsExactly("next looks");
        next.runWithSlot(() -> done.add("next is judged"));
        assertThat(done).containsExactly("next looks", "next is judged");
    }

    @Test
    void slowAttemptLosesItsSlotAndContinues() {
        List<UpgradeStartLimiter.StartSlot> slow = fill();
        upgradeStartLimiter.newSlot().runWithSlot(() -> done.add("next"));
        now = 10_000;
        loopTaskQueue.runDueTasks();
        assertThat(done).containsExactly("next");

        slow.getFirst().runWithSlot(() -> done.add("slow"));
        assertThat(done).containsExactly("next", "slow");
    }

    @Test
    void slowAttemptThatLeftQueuesAgain() {
        List<UpgradeStartLimiter.StartSlot> slow = fill();
        now = 10_000;
        loopTaskQueue.runDueTasks();
        fill();
        slow.getFirst().releaseSlot();
        slow.getFirst().runWithSlot(() -> done.add("again"));
        assertThat(done).isEmpty();
    }

    @Test
    void stoppedAttemptLeavesTheQueue() {
        List<UpgradeStartLimiter.StartSlot> first = fill();
        UpgradeStartLimiter.StartSlot stopped = upgradeStartLimiter.newSlot();
        stopped.runWithSlot(() -> done.add("stopped"));
        stopped.releaseSlot();
        first.getFirst().releaseSlot();
        assertThat(done).isEmpty();
    }

    private List<UpgradeStartLimiter.StartSlot> fill() {
        List<UpgradeStartLimiter.StartSlot> places = IntStream.range(0, UpgradeStartLimiter.MAX_SLOTS)
                .mapToObj(i -> upgradeStartLimiter.newSlot())
                .toList();
        places.forEach(startSlot -> startSlot.runWithSlot(() -> {}));
        return places;
    }
}
