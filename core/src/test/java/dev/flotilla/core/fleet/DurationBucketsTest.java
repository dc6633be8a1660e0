package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.Durations;
import dev.flotilla.schemas.row.Role;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurationBucketsTest {
    @Test
    void tellsNoMoreClassesApartThanItHasRoomFor() {
        List<Durations> known = List.of();
        for (int i = 0; i < DurationBuckets.MOST_CLASSES + 5; i++) {
            known = DurationBuckets.plus(known, Role.WORKER, "disk-" + i, Duration.ofMinutes(1));
        }
        assertThat(known).hasSize(DurationBuckets.MOST_CLASSES + 1);
        assertThat(known.getLast().machineClass()).isEqualTo("worker");
        assertThat(known.getLast().counts().total()).isEqualTo(5);
        known = DurationBuckets.plus(known, Role.WORKER, "disk-3", Duration.ofMinutes(1));
        assertThat(known.get(3).counts().total()).isEqualTo(2);
    }
}
