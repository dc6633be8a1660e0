package dev.flotilla.core.fleet.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A heap of entries with the first one at the front. The orders are stored next to each other, four to a parent, so
 * that finding the next of many thousands reads few of them.
 */
public final class PriorityHeap<T extends HeapEntry<T>> {
    private final List<T> heap = new ArrayList<>();
    private long[] orders = new long[4];

    public @Nullable T first() {
        return heap.isEmpty() ? null : heap.get(0);
    }

    /** Adds an entry or moves it to its position. */
    public void put(T thing) {
        int place = thing.place;
        if (place == HeapEntry.NOWHERE) {
            place = heap.size();
            heap.add(thing);
            if (orders.length < heap.size()) {
                orders = Arrays.copyOf(orders, 2 * orders.length);
            }
        }
        sift(place, thing, thing.priority());
    }

    public void remove(T thing) {
        int end = heap.size() - 1;
        T last = heap.remove(end);
        if (thing.place < end) {
            sift(thing.place, last, orders[end]);
        }
        thing.place = HeapEntry.NOWHERE;
    }

    void clear() {
        heap.forEach(thing -> thing.place = HeapEntry.NOWHERE);
        heap.clear();
    }

    /** Finds the position of an entry, starting at a free one. */
    private void sift(int hole, T thing, long order) {
        int place = hole;
        while (place > 0 && before(thing, order, parent(place))) {
            set(place, heap.get(parent(place)), orders[parent(place)]);
            place = parent(place);
        }
        if (place == hole) {
            for (int child = firstChild(place); child >= 0 && !before(thing, order, child); child = firstChild(place)) {
                set(place, heap.get(child), orders[child]);
                place = child;
            }
        }
        set(place, thing, order);
    }

    /** The first of a position's children; -1 for none. */
    private int firstChild(int place) {
        int best = 4 * place + 1;
        if (best >= heap.size()) {
            return -1;
        }
        int end = Math.min(best + 4, heap.size());
        for (int child = best + 1; child < end; child++) {
            if (before(heap.get(child), orders[child], best)) {
                best = child;
            }
        }
        return best;
    }

    private boolean before(T thing, long order, int place) {
        return order != orders[place] ? order < orders[place] : thing.goesBefore(heap.get(place));
    }

    private static int parent(int place) {
        return (place - 1) >> 2;
    }

    private void set(int place, T thing, long order) {
        heap.set(place, thing);
        orders[place] = order;
        thing.place = place;
    }
}
