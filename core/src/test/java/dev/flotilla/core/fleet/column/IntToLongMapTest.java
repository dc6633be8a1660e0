package dev.flotilla.core.fleet.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the map with a plain map after any number of changes. */
class IntToLongMapTest {
    private final IntToLongMap map = new IntToLongMap();
    private final Map<Integer, Long> expected = new TreeMap<>();

    /** Enough keys for collisions, and few enough for repetitions. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void holdsEntriesUntilTheyAreRemoved(long seed) {
        Random random = new Random(seed);
        int keys = 8 << seed;
        for (int step = 0; step < 4_000; step++) {
            int key = random.nextInt(keys);
            if (random.nextInt(5) < 3) {
                map.put(key, step);
                expected.put(key, (long) step);
            } else {
                Long known = expected.remove(key);
                assertThat(map.remove(key)).isEqualTo(known == null ? IntToLongMap.ABSENT : known);
            }
            int other = random.nextInt(keys);
            assertThat(map.get(other)).isEqualTo(expected.getOrDefault(other, (long) IntToLongMap.ABSENT));
        }
        expected.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    }
}
