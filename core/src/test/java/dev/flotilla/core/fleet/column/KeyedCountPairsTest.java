package dev.flotilla.core.fleet.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts of a cluster, and how they differ from the last count. */
class KeyedCountPairsTest {
    private final KeyedCountPairs now = new KeyedCountPairs();
    private final KeyedCountPairs before = new KeyedCountPairs();
    private final List<String> told = new ArrayList<>();

    private boolean since(KeyedCountPairs last) {
        told.clear();
        return now.since(
                last,
                (key, more, came, first, second) ->
                        told.add(key + "/" + more + " " + came + " " + first + " " + second));
    }

    @Test
    void countsUnderBothPartsOfTheKey() {
        now.add(7, 1, 1, 2);
        now.add(7, 2, 3, 4);
        now.add(7, 1, 10, 20);
        assertThat(since(null)).isTrue();
        assertThat(told).containsExactly("7/1 1 11 22", "7/2 1 3 4");
    }

    @Test
    void doesNotReportUnchangedCounts() {
        before.add(7, 1, 1, 2);
        before.add(8, 1, 1, 2);
        now.add(8, 1, 1, 2);
        now.add(7, 1, 1, 2);
        assertThat(since(before)).isFalse();
        assertThat(told).isEmpty();
    }

    @Test
    void reportsAChangeOfEitherCount() {
        before.add(7, 1, 1, 2);
        before.add(8, 1, 1, 2);
        now.add(7, 1, 2, 2);
        now.add(8, 1, 1, 1);
        assertThat(since(before)).isTrue();
        assertThat(told).containsExactly("7/1 0 1 0", "8/1 0 0 -1");
    }

    @Test
    void reportsNewAndRemovedKeys() {
        before.add(7, 1, 1, 2);
        now.add(9, 1, 0, 0);
        assertThat(since(before)).isTrue();
        assertThat(told).containsExactly("9/1 1 0 0", "7/1 -1 -1 -2");
    }

    @Test
    void growsAndCopiesManyKeys() {
        for (int i = 0; i < 11; i++) {
            now.add(i, 0, i, 1);
        }
        assertThat(since(null)).isTrue();
        assertThat(told).hasSize(11).contains("10/0 1 10 1", "4/0 1 4 1");
        before.become(now);
        assertThat(since(before)).isFalse();
        now.clear();
        assertThat(since(before)).isTrue();
        assertThat(told).hasSize(11).contains("10/0 -1 -10 -1");
        before.become(now);
        now.add(5, 0, 1, 1);
        assertThat(since(before)).isTrue();
        assertThat(told).containsExactly("5/0 1 1 1");
    }
}
