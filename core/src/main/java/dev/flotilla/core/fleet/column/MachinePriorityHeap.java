package dev.flotilla.core.fleet.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;

/**
 * A set of machines ordered by a number and then by key. The position of each machine is known, so that it can be
 * moved. The numbers are stored next to each other, four to a parent, so that finding the next of many thousands reads
 * few of them.
 */
public class MachinePriorityHeap {
    private final IntBinaryOperator keyOrder;
    private final IntToLongMap places = new IntToLongMap();
    private int[] heap = new int[16];
    private long[] orders = new long[16];
    private int size;

    /** @param keyOrder compares two machines by their keys */
    public MachinePriorityHeap(IntBinaryOperator keyOrder) {
        this.keyOrder = keyOrder;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    public int first() {
        return heap[0];
    }

    /** The lowest number; the heap must not be empty. */
    public long firstOrder() {
        return orders[0];
    }

    /** All machines, in no particular order. */
    public List<Integer> machines() {
        List<Integer> machines = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            machines.add(heap[i]);
        }
        return machines;
    }

    /** Adds a machine or moves it to its position. */
    public void put(int machine, long order) {
        int place = (int) places.get(machine);
        if (place == IntToLongMap.ABSENT) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
                orders = Arrays.copyOf(orders, size * 2);
            }
            place = size++;
        }
        sift(place, machine, order);
    }

    public void remove(int machine) {
        int place = (int) places.remove(machine);
        if (place == IntToLongMap.ABSENT) {
            return;
        }
        size--;
        if (place < size) {
            sift(place, heap[size], orders[size]);
        }
    }

    /** Finds the position of a machine, starting at a free one. */
    private void sift(int hole, int machine, long order) {
        int place = hole;
        while (place > 0 && before(machine, order, parent(place))) {
            set(place, heap[parent(place)], orders[parent(place)]);
            place = parent(place);
        }
        if (place == hole) {
            for (int child = firstChild(place);
                    child >= 0 && !before(machine, order, child);
                    child = firstChild(place)) {
                set(place, heap[child], orders[child]);
                place = child;
            }
        }
        set(place, machine, order);
    }

    /** The lowest of a position's children; -1 for none. */
    private int firstChild(int place) {
        int best = 4 * place + 1;
        if (best >= size) {
            return -1;
        }
        int end = Math.min(best + 4, size);
        for (int child = best + 1; child < end; child++) {
            if (before(heap[child], orders[child], best)) {
                best = child;
            }
        }
        return best;
    }

    private boolean before(int machine, long order, int place) {
        return order != orders[place] ? order < orders[place] : keyOrder.applyAsInt(machine, heap[place]) < 0;
    }

    private static int parent(int place) {
        return (place - 1) >> 2;
    }

    private void set(int place, int machine, long order) {
        heap[place] = machine;
        orders[place] = order;
        places.put(machine, place);
    }
}
