package dev.flotilla.core.fleet;

/** Finds machines by something they are known by, through open addressing. Keeps nothing but the machines' numbers. */
abstract class RowTable {
    private int[] slots = new int[64];
    private int size;

    /** The hash of what a machine that is in the table is known by. */
    abstract int hashOf(int row);

    /** The slot where a search for a hash begins. */
    int start(int hash) {
        return (hash * 0x9e3779b9) >>> Integer.numberOfLeadingZeros(slots.length - 1);
    }

    /** The slot after a slot. */
    int next(int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    /** The machine in a slot, or -1 where a search ends. */
    int row(int slot) {
        return slots[slot] - 1;
    }

    void insert(int row) {
        if (4 * (size + 1) > 3 * slots.length) {
            grow();
        }
        size++;
        place(row);
    }

    void remove(int row) {
        int slot = start(hashOf(row));
        while (slots[slot] - 1 != row) {
            if (slots[slot] == 0) {
                return;
            }
            slot = next(slot);
        }
        size--;
        int hole = slot;
        int after = next(hole);
        while (slots[after] != 0) {
            int home = start(hashOf(slots[after] - 1));
            boolean between = hole <= after ? home > hole && home <= after : home > hole || home <= after;
            if (!between) {
                slots[hole] = slots[after];
                hole = after;
            }
            after = next(after);
        }
        slots[hole] = 0;
    }

    private void place(int row) {
        int slot = start(hashOf(row));
        while (slots[slot] != 0) {
            slot = next(slot);
        }
        slots[slot] = row + 1;
    }

    private void grow() {
        int[] old = slots;
        slots = new int[old.length * 2];
        for (int entry : old) {
            if (entry != 0) {
                place(entry - 1);
            }
        }
    }
}
