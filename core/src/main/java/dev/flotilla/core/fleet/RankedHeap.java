package dev.flotilla.core.fleet;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of ranked things, the one to go first in front. */
final class RankedHeap<T extends Ranked<T>> {
    private final List<T> heap = new ArrayList<>();

    @Nullable
    T first() {
        return heap.isEmpty() ? null : heap.get(0);
    }

    /** Adds a thing, or moves it where it belongs now. */
    void put(T thing) {
        if (thing.place == Ranked.NOWHERE) {
            thing.place = heap.size();
            heap.add(thing);
        }
        if (!up(thing)) {
            down(thing);
        }
    }

    void remove(T thing) {
        T last = heap.remove(heap.size() - 1);
        if (thing.place < heap.size()) {
            place(thing.place, last);
            if (!up(last)) {
                down(last);
            }
        }
        thing.place = Ranked.NOWHERE;
    }

    void clear() {
        heap.forEach(thing -> thing.place = Ranked.NOWHERE);
        heap.clear();
    }

    private boolean up(T thing) {
        int from = thing.place;
        while (thing.place > 0 && thing.before(heap.get((thing.place - 1) >>> 1))) {
            int parent = (thing.place - 1) >>> 1;
            place(thing.place, heap.get(parent));
            place(parent, thing);
        }
        return thing.place != from;
    }

    private void down(T thing) {
        while (2 * thing.place + 1 < heap.size()) {
            int child = 2 * thing.place + 1;
            if (child + 1 < heap.size() && heap.get(child + 1).before(heap.get(child))) {
                child++;
            }
            if (!heap.get(child).before(thing)) {
                return;
            }
            int place = thing.place;
            place(place, heap.get(child));
            place(child, thing);
        }
    }

    private void place(int place, T thing) {
        heap.set(place, thing);
        thing.place = place;
    }
}
