package dev.flotilla.managementwatcher.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MassRemovalBreakerTest {
    private static final long MINUTE = 60_000;

    private final MassRemovalBreaker guard = new MassRemovalBreaker();

    @Test
    void tenAtOnceMayGoInASmallSite() {
        assertThat(guard.selectRemovable(machines(0, 10), 20, 0)).hasSize(10);
        assertThat(guard.countWithheld()).isZero();
    }

    @Test
    void elevenAtOnceAreHeld() {
        assertThat(guard.selectRemovable(machines(0, 11), 20, 0)).isEmpty();
        assertThat(guard.countWithheld()).isEqualTo(11);
    }

    @Test
    void fivePercentMayGoInALargeSite() {
        assertThat(guard.selectRemovable(machines(0, 50), 1000, 0)).hasSize(50);
        assertThat(guard.selectRemovable(machines(50, 51), 1000, 1)).isEmpty();
        assertThat(guard.countWithheld()).isEqualTo(1);
    }

    @Test
    void thoseOfTheLastTenMinutesCount() {
        guard.selectRemovable(machines(0, 10), 20, 0);
        assertThat(guard.selectRemovable(machines(10, 11), 20, 10 * MINUTE)).isEmpty();
    }

    @Test
    void thoseBeforeDoNot() {
        guard.selectRemovable(machines(0, 10), 20, 0);
        assertThat(guard.selectRemovable(machines(10, 20), 20, 10 * MINUTE + 1)).hasSize(10);
    }

    @Test
    void whatAnEarlierWatcherRemovedCounts() {
        IntStream.range(0, 10).forEach(i -> guard.recordRemoval(MINUTE));
        assertThat(guard.selectRemovable(machines(0, 1), 20, 2 * MINUTE)).isEmpty();
    }

    @Test
    void holdsUntilTheyAreAllBack() {
        guard.selectRemovable(machines(0, 11), 20, 0);
        assertThat(guard.selectRemovable(machines(0, 1), 20, 60 * MINUTE)).isEmpty();
        assertThat(guard.selectRemovable(machines(0, 0), 20, 61 * MINUTE)).isEmpty();
        assertThat(guard.countWithheld()).isZero();
        assertThat(guard.selectRemovable(machines(0, 1), 20, 62 * MINUTE)).hasSize(1);
    }

    @Test
    void letsThemGoOnceTheRemovalIsAccepted() {
        guard.selectRemovable(machines(0, 11), 20, 0);
        guard.acceptWithheld();
        assertThat(guard.selectRemovable(machines(0, 11), 20, 1)).isEqualTo(machines(0, 11));
        assertThat(guard.countWithheld()).isZero();
    }

    @Test
    void anOrderIsForThoseThatWereHeldWhenItCame() {
        guard.selectRemovable(machines(0, 11), 20, 0);
        guard.acceptWithheld();
        assertThat(guard.selectRemovable(machines(0, 30), 40, 1)).isEqualTo(machines(0, 11));
        assertThat(guard.countWithheld()).isEqualTo(19);
    }

    @Test
    void whoIsBackAfterTheOrderStays() {
        guard.selectRemovable(machines(0, 11), 20, 0);
        guard.acceptWithheld();
        assertThat(guard.selectRemovable(machines(5, 11), 20, 1)).isEqualTo(machines(5, 11));
    }

    private static Set<MachineKey> machines(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new MachineKey(new SiteId("east"), "fleet", "m-" + i))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
