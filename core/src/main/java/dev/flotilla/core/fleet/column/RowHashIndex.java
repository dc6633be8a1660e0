package dev.flotilla.core.fleet.column;

/**
 * A hash index of machines with open addressing. It stores only machine numbers and a few bits of each hash, so a
 * lookup rarely compares more than one machine.
 */
public abstract class RowHashIndex {
    /** The maximum number of machines. */
    static final int MAX_MACHINES = (1 << 24) - 2;

    private static final int ROW_BITS = 24;
    private static final int ROW_MASK = (1 << ROW_BITS) - 1;
    private static final int NOBODY = 0;

    private int[] slots = new int[64];
    private int size;

    /** The hash of an indexed machine's key. */
    public abstract int hashOf(int row);

    /** The first slot of a search for a hash. */
    public int start(int hash) {
        return (hash * 0x9e3779b9) >>> Integer.numberOfLeadingZeros(slots.length - 1);
    }

    /** The slot after a slot. */
    public int next(int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    /** Whether a search ends here. */
    public boolean isFree(int slot) {
        return slots[slot] == NOBODY;
    }

    /** Whether the machine in a slot may have a hash. */
    public boolean mayMatch(int slot, int hash) {
        return slots[slot] >>> ROW_BITS == tag(hash);
    }

    /** The machine in a slot that is not free. */
    public int row(int slot) {
        return (slots[slot] & ROW_MASK) - 1;
    }

    /** The bits that {@link #start} does not use. */
    private static int tag(int hash) {
        return (hash * 0x9e3779b9) >>> 3 & 255;
    }

    public void insert(int row) {
        if (row > MAX_MACHINES) {
            throw new IllegalStateException("more than " + MAX_MACHINES + " machines");
        }
        if (4 * (size + 1) > 3 * slots.length) {
            grow();
        }
        size++;
        place(row);
    }

    public void remove(int row) {
        int slot = start(hashOf(row));
        while (row(slot) != row) {
            if (isFree(slot)) {
                return;
            }
            slot = next(slot);
        }
        size--;
        int hole = slot;
        int after = next(hole);
        while (!isFree(after)) {
            int home = start(hashOf(row(after)));
            boolean between = hole <= after ? home > hole && home <= after : home > hole || home <= after;
            if (!between) {
                slots[hole] = slots[after];
                hole = after;
            }
            after = next(after);
        }
        slots[hole] = NOBODY;
    }

    private void place(int row) {
        int hash = hashOf(row);
        int slot = start(hash);
        while (!isFree(slot)) {
            slot = next(slot);
        }
        slots[slot] = tag(hash) << ROW_BITS | row + 1;
    }

    private void grow() {
        int[] old = slots;
        slots = new int[old.length * 2];
        for (int entry : old) {
            if (entry != NOBODY) {
                place((entry & ROW_MASK) - 1);
            }
        }
    }
}
