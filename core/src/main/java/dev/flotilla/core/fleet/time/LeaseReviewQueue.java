package dev.flotilla.core.fleet.time;

import dev.flotilla.core.fleet.column.MachinePriorityHeap;
import java.util.function.IntBinaryOperator;

/** Machines whose command lease must be reviewed because something that permits it has changed. By key. */
public final class LeaseReviewQueue extends MachinePriorityHeap {
    public LeaseReviewQueue(IntBinaryOperator keyOrder) {
        super(keyOrder);
    }

    public void put(int machine) {
        put(machine, 0);
    }
}
