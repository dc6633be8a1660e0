package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one that goes first is in front, through any number of comings, goings and changes of rank. */
class RankedHeapTest {
    private static final class Thing extends Ranked<Thing> {
        private final int number;
        private long order;

        Thing(int number) {
            this.number = number;
        }

        @Override
        long order() {
            return order;
        }

        @Override
        boolean before(Thing other) {
            return number < other.number;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isASortedSet(long seed) {
        Random random = new Random(seed);
        RankedHeap<Thing> heap = new RankedHeap<>();
        TreeSet<Thing> sorted = new TreeSet<>(
                Comparator.<Thing>comparingLong(thing -> thing.order).thenComparing(thing -> thing.number));
        List<Thing> things = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            things.add(new Thing(i));
        }
        for (int step = 0; step < 3000; step++) {
            Thing thing = things.get(random.nextInt(things.size()));
            boolean there = sorted.remove(thing);
            assertThat(thing.place != Ranked.NOWHERE).isEqualTo(there);
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
            Thing first = sorted.pollFirst();
            assertThat(heap.first()).isSameAs(first);
            heap.remove(first);
        }
        assertThat(heap.first()).isNull();
    }

    @Test
    void whatWasInItBeforeItWasClearedCanBeInItAgain() {
        RankedHeap<Thing> heap = new RankedHeap<>();
        Thing one = new Thing(1);
        Thing two = new Thing(2);
        heap.put(one);
        heap.put(two);
        heap.clear();
        assertThat(heap.first()).isNull();
        assertThat(two.place).isEqualTo(Ranked.NOWHERE);
        heap.put(two);
        assertThat(heap.first()).isSameAs(two);
    }
}
