package dev.flotilla.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MassRemovalBreakerTest {
    private static final long MINUTE = 60_000;
    private static final String ORDER = "order-1";

    private final MassRemovalBreaker massRemovalBreaker = new MassRemovalBreaker(null, null);

    @Test
    void allowsTenRemovalsAtOnceInASmallSite() {
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 10), 20, 0))
                .hasSize(10);
        assertThat(massRemovalBreaker.countWithheld()).isZero();
    }

    @Test
    void withholdsElevenRemovalsAtOnce() {
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 0))
                .isEmpty();
        assertThat(massRemovalBreaker.countWithheld()).isEqualTo(11);
    }

    @Test
    void allowsFivePercentInALargeSite() {
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 50), 1000, 0))
                .hasSize(50);
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(50, 51), 1000, 1))
                .isEmpty();
        assertThat(massRemovalBreaker.countWithheld()).isEqualTo(1);
    }

    @Test
    void countsRemovalsOfTheLastTenMinutes() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 10), 20, 0);
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(10, 11), 20, 10 * MINUTE))
                .isEmpty();
    }

    @Test
    void doesNotCountEarlierRemovals() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 10), 20, 0);
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(10, 20), 20, 10 * MINUTE + 1))
                .hasSize(10);
    }

    @Test
    void countsRemovalsOfAnEarlierWatcher() {
        IntStream.range(0, 10).forEach(i -> massRemovalBreaker.recordRemoval(MINUTE));
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 1), 20, 2 * MINUTE))
                .isEmpty();
    }

    @Test
    void withholdsUntilAllMachinesAreBack() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 0);
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 1), 20, 60 * MINUTE))
                .isEmpty();
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 0), 20, 61 * MINUTE))
                .isEmpty();
        assertThat(massRemovalBreaker.countWithheld()).isZero();
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 1), 20, 62 * MINUTE))
                .hasSize(1);
    }

    @Test
    void removesOnceTheRemovalIsAccepted() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 0);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isTrue();
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 1))
                .isEqualTo(machinesFromTo(0, 11));
        assertThat(massRemovalBreaker.countWithheld()).isZero();
    }

    @Test
    void orderCountsOnlyForRemovalsThatWereWithheldBefore() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 0);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isTrue();
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(0, 30), 40, 1))
                .isEqualTo(machinesFromTo(0, 11));
        assertThat(massRemovalBreaker.countWithheld()).isEqualTo(19);
    }

    @Test
    void machineThatIsBackAfterTheOrderStays() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 0);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isTrue();
        assertThat(massRemovalBreaker.selectRemovable(machinesFromTo(5, 11), 20, 1))
                .isEqualTo(machinesFromTo(5, 11));
    }

    @Test
    void appliesAnOrderOnce() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 0);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isTrue();
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 30), 40, 1);
        assertThat(massRemovalBreaker.countWithheld()).isEqualTo(19);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isFalse();
        assertThat(massRemovalBreaker.applyOrder("order-2")).isTrue();
    }

    @Test
    void orderGivenWhileNothingIsWithheldCountsAsApplied() {
        assertThat(massRemovalBreaker.settleOrder(ORDER)).isEqualTo(ORDER);
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 0);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isFalse();
        assertThat(massRemovalBreaker.settleOrder("order-2")).isEqualTo(ORDER);
        assertThat(massRemovalBreaker.applyOrder("order-2")).isTrue();
    }

    /** The order settles when it arrives, not with the next heartbeat, which may be ten seconds later. */
    @Test
    void orderThatArrivesWhileNothingIsWithheldAcceptsNothingLater() {
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 0), 20, 0);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isFalse();
        massRemovalBreaker.selectRemovable(machinesFromTo(0, 11), 20, 1);
        assertThat(massRemovalBreaker.applyOrder(ORDER)).isFalse();
        assertThat(massRemovalBreaker.countWithheld()).isEqualTo(11);
        assertThat(massRemovalBreaker.applyOrder("order-2")).isTrue();
    }

    @Test
    void appliedOrderIsRememberedWhileTheStatusRowIsMissing() {
        MassRemovalBreaker next = new MassRemovalBreaker(heartbeat(0, ORDER), null);
        next.selectRemovable(machinesFromTo(0, 0), 20, 0);
        assertThat(next.settleOrder(null)).isEqualTo(ORDER);
        next.selectRemovable(machinesFromTo(0, 11), 20, 1);
        assertThat(next.applyOrder(ORDER)).as("the row is back").isFalse();
    }

    @Test
    void orderGivenWhileNoWatcherRanCounts() {
        MassRemovalBreaker next = new MassRemovalBreaker(heartbeat(0, ORDER), "order-2");
        next.selectRemovable(machinesFromTo(0, 11), 20, 0);
        assertThat(next.applyOrder(ORDER)).isFalse();
        assertThat(next.applyOrder("order-2")).isTrue();
    }

    @Test
    void withholdsAfterARestartUntilAllMachinesAreBack() {
        MassRemovalBreaker next = new MassRemovalBreaker(heartbeat(11, null), null);
        assertThat(next.countWithheld()).isEqualTo(11);
        assertThat(next.selectRemovable(machinesFromTo(0, 2), 20, 0)).isEmpty();
        assertThat(next.countWithheld()).isEqualTo(2);
        assertThat(next.selectRemovable(machinesFromTo(0, 0), 20, 1)).isEmpty();
        assertThat(next.countWithheld()).isZero();
        assertThat(next.selectRemovable(machinesFromTo(0, 2), 20, 2)).hasSize(2);
    }

    @Test
    void orderGivenDuringARestartAcceptsWhatIsStillMissing() {
        MassRemovalBreaker next = new MassRemovalBreaker(heartbeat(11, null), ORDER);
        assertThat(next.applyOrder(ORDER))
                .as("before the machines were evaluated")
                .isFalse();
        assertThat(next.settleOrder(ORDER)).isNull();
        next.selectRemovable(machinesFromTo(0, 2), 20, 0);
        assertThat(next.applyOrder(ORDER)).isTrue();
        assertThat(next.selectRemovable(machinesFromTo(0, 2), 20, 0)).hasSize(2);
    }

    private static WatcherHeartbeat heartbeat(int withheld, @Nullable String appliedOrder) {
        return new WatcherHeartbeat(
                new SiteId("east"), "uid", "watcher-1", Instant.EPOCH, withheld, null, null, appliedOrder);
    }

    private static Set<MachineKey> machinesFromTo(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new MachineKey(new SiteId("east"), "fleet", "m-" + i))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
