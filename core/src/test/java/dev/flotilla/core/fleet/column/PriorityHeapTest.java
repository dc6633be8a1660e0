package dev.flotilla.core.fleet.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first entry is at the front after any number of changes. */
public class PriorityHeapTest {
    private static final class TestEntry extends HeapEntry<TestEntry> {
        private final int number;
        private long order;

        TestEntry(int number) {
            this.number = number;
        }

        @Override
        public long priority() {
            return order;
        }

        @Override
        public boolean goesBefore(TestEntry other) {
            return number < other.number;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void behavesLikeASortedSet(long seed) {
        Random random = new Random(seed);
        PriorityHeap<TestEntry> heap = new PriorityHeap<>();
        TreeSet<TestEntry> sorted = new TreeSet<>(
                Comparator.<TestEntry>comparingLong(thing -> thing.order).thenComparing(thing -> thing.number));
        List<TestEntry> things = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            things.add(new TestEntry(i));
        }
        for (int step = 0; step < 3000; step++) {
            TestEntry thing = things.get(random.nextInt(things.size()));
            boolean there = sorted.remove(thing);
            assertThat(thing.place != HeapEntry.NOWHERE).isEqualTo(there);
            if (there && random.nextInt(3) == 0) {
                heap.remove(thing);
            } else {
                thing.order = random.nextInt(7);
                heap.put(thing);
                sorted.add(thing);
            }
            assertThat(heap.first()).isSameAs(sorted.isEmpty() ? null : sorted.first());
        }
        while (!sorted.isEmpty()) {
            TestEntry first = sorted.pollFirst();
            assertThat(heap.first()).isSameAs(first);
            heap.remove(first);
        }
        assertThat(heap.first()).isNull();
    }

    @Test
    void entriesCanReturnAfterAClear() {
        PriorityHeap<TestEntry> heap = new PriorityHeap<>();
        TestEntry one = new TestEntry(1);
        TestEntry two = new TestEntry(2);
        heap.put(one);
        heap.put(two);
        heap.clear();
        assertThat(heap.first()).isNull();
        assertThat(two.place).isEqualTo(HeapEntry.NOWHERE);
        heap.put(two);
        assertThat(heap.first()).isSameAs(two);
    }
}
