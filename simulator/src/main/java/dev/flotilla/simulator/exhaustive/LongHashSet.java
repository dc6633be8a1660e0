package dev.flotilla.simulator.exhaustive;

/** A set of many numbers. */
final class LongHashSet {
    private static final int SMALLEST = 1 << 16;

    private long[] slots = new long[SMALLEST];
    private boolean zero;
    private int size;

    int size() {
        return size;
    }

    /** Adds a number. Returns whether it is new. The numbers must be hashes, because their last bits are used. */
    boolean add(long number) {
        if (number == 0) {
            boolean fresh = !zero;
            zero = true;
            size += fresh ? 1 : 0;
            return fresh;
        }
        int at = place(slots, number);
        if (slots[at] == number) {
            return false;
        }
        slots[at] = number;
        size++;
        if (size > slots.length / 2) {
            grow();
        }
        return true;
    }

    private static int place(long[] slots, long number) {
        int at = (int) number & (slots.length - 1);
        while (slots[at] != 0 && slots[at] != number) {
            at = (at + 1) & (slots.length - 1);
        }
        return at;
    }

    private void grow() {
        long[] larger = new long[2 * slots.length];
        for (long number : slots) {
            if (number != 0) {
                larger[place(larger, number)] = number;
            }
        }
        slots = larger;
    }
}
