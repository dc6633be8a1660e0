package dev.flotilla.core.fleet.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurationPercentilesTest {
    @Test
    void distinguishesAtMostTheMaximumOfClasses() {
        List<DurationHistogram> known = List.of();
        for (int i = 0; i < DurationPercentiles.MOST_CLASSES + 5; i++) {
            known = DurationPercentiles.plus(known, MachineRole.WORKER, "disk-" + i, Duration.ofMinutes(1));
        }
        assertThat(known).hasSize(DurationPercentiles.MOST_CLASSES + 1);
        assertThat(known.getLast().machineClass()).isEqualTo("worker");
        assertThat(known.getLast().counts().total()).isEqualTo(5);
        known = DurationPercentiles.plus(known, MachineRole.WORKER, "disk-3", Duration.ofMinutes(1));
        assertThat(known.get(3).counts().total()).isEqualTo(2);
    }

    private static long bound(int attempts, int percent, Duration... durations) {
        DurationHistogram.BucketCounts counts = DurationHistogram.BucketCounts.of();
        for (int i = 0; i < attempts; i++) {
            counts = counts.plus(DurationPercentiles.bucket(durations[i % durations.length]));
        }
        Duration bound = DurationPercentiles.percentile(counts, percent);
        return bound == null ? 0 : bound.toMillis();
    }

    @Test
    void hasNoPercentileForFewerThanTwenty() {
        assertThat(bound(19, 95, Duration.ofMillis(900))).isZero();
        assertThat(bound(20, 95, Duration.ofMillis(900))).isEqualTo(1000);
    }

    @Test
    void aPercentileCoversTheRequestedPercentage() {
        Duration quick = Duration.ofMillis(1000);
        Duration slow = Duration.ofMillis(1001);
        assertThat(bound(20, 50, quick, slow)).isEqualTo(1000);
        assertThat(bound(20, 51, quick, slow)).isEqualTo(1250);
        assertThat(bound(21, 50, quick, slow)).isEqualTo(1000);
        assertThat(bound(20, 100, quick, slow)).isEqualTo(1250);
        assertThat(bound(20, 5, slow)).isEqualTo(1250);
    }

    @Test
    void bucketsGrowByAQuarterAndTheLastIsUnbounded() {
        assertThat(DurationPercentiles.bucket(Duration.ZERO)).isZero();
        assertThat(DurationPercentiles.bucket(Duration.ofMillis(1000))).isZero();
        assertThat(DurationPercentiles.bucket(Duration.ofMillis(1001))).isEqualTo(1);
        assertThat(DurationPercentiles.bucket(Duration.ofMillis(1250))).isEqualTo(1);
        assertThat(DurationPercentiles.bucket(Duration.ofMillis(1251))).isEqualTo(2);
        assertThat(DurationPercentiles.bucket(Duration.ofMillis(1562))).isEqualTo(2);
        assertThat(DurationPercentiles.bucket(Duration.ofDays(9999))).isEqualTo(63);
    }

    @Test
    void countsAKnownClassInItsPlace() {
        List<DurationHistogram> known =
                DurationPercentiles.plus(List.of(), MachineRole.WORKER, "ssd", Duration.ofSeconds(1));
        known = DurationPercentiles.plus(known, MachineRole.WORKER, "hdd", Duration.ofSeconds(1));
        known = DurationPercentiles.plus(known, MachineRole.WORKER, "hdd", Duration.ofSeconds(1));
        known = DurationPercentiles.plus(known, MachineRole.WORKER, "ssd", Duration.ofSeconds(1));
        known = DurationPercentiles.plus(known, MachineRole.WORKER, "hdd", Duration.ofSeconds(1));
        assertThat(known).extracting(DurationHistogram::machineClass).containsExactly("worker/ssd", "worker/hdd");
        assertThat(known).extracting(one -> one.counts().total()).containsExactly(2L, 3L);
        known = DurationPercentiles.plus(known, MachineRole.WORKER, null, Duration.ofSeconds(1));
        assertThat(known)
                .extracting(DurationHistogram::machineClass)
                .containsExactly("worker/ssd", "worker/hdd", "worker");
    }

    @Test
    void aBucketOfAllAttemptsCoversEveryPercentage() {
        Duration longest = Duration.ofDays(9999);
        assertThat(bound(20, 100, longest)).isEqualTo(bound(20, 5, longest)).isPositive();
    }

    @Test
    void tooFewAttemptsHaveNoPercentile() {
        assertThat(DurationPercentiles.percentile(DurationHistogram.BucketCounts.of(), 95))
                .isNull();
    }

    @Test
    void countsAKnownClassWhenThereIsNoRoomForOthers() {
        List<DurationHistogram> known = List.of();
        for (int i = 0; i < DurationPercentiles.MOST_CLASSES; i++) {
            known = DurationPercentiles.plus(known, MachineRole.WORKER, "disk-" + i, Duration.ofMinutes(1));
        }
        known = DurationPercentiles.plus(known, MachineRole.WORKER, "disk-0", Duration.ofMinutes(1));
        assertThat(known).hasSize(DurationPercentiles.MOST_CLASSES);
        assertThat(known.getFirst().counts().total()).isEqualTo(2);
    }
}
