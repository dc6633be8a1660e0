package dev.flotilla.core.fleet;

import java.util.function.IntBinaryOperator;

/** Machines whose open attempt has to be looked at again, since something that allows it has changed. By key. */
final class LeaseReviewQueue extends MachinePriorityHeap {
    LeaseReviewQueue(IntBinaryOperator keyOrder) {
        super(keyOrder);
    }

    void put(int machine) {
        put(machine, 0);
    }
}
