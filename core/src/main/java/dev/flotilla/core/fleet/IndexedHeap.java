package dev.flotilla.core.fleet;

import java.util.Arrays;

/** A set of machines, the least first. Each machine is in it once; its place is known, so that it can be moved. */
abstract class IndexedHeap {
    private int[] heap = new int[16];
    private int size;
    private final IntMap places = new IntMap();

    /** Whether a machine comes before another; a total order. */
    abstract boolean before(int machine, int other);

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    int first() {
        return heap[0];
    }

    /** The machine at a place, in no order that means anything. */
    int at(int place) {
        return heap[place];
    }

    boolean contains(int machine) {
        return places.get(machine) != IntMap.ABSENT;
    }

    /** Adds a machine, or moves it where it belongs now. */
    void put(int machine) {
        int place = (int) places.get(machine);
        if (place == IntMap.ABSENT) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            place = size++;
            set(place, machine);
        }
        if (!up(place)) {
            down(place);
        }
    }

    void remove(int machine) {
        int place = (int) places.remove(machine);
        if (place == IntMap.ABSENT) {
            return;
        }
        int last = heap[--size];
        if (place < size) {
            set(place, last);
            if (!up(place)) {
                down(place);
            }
        }
    }

    private boolean up(int from) {
        int place = from;
        int machine = heap[place];
        while (place > 0 && before(machine, heap[(place - 1) >>> 1])) {
            set(place, heap[(place - 1) >>> 1]);
            place = (place - 1) >>> 1;
        }
        if (place == from) {
            return false;
        }
        set(place, machine);
        return true;
    }

    private void down(int from) {
        int place = from;
        int machine = heap[place];
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], machine)) {
                break;
            }
            set(place, heap[child]);
            place = child;
        }
        set(place, machine);
    }

    private void set(int place, int machine) {
        heap[place] = machine;
        places.put(machine, place);
    }
}
