package dev.flotilla.core.fleet;

/** Machines whose open attempt has to be looked at again, since something that allows it has changed. By key. */
final class LeaseReviewQueue extends MachinePriorityHeap {
    LeaseReviewQueue(MachineTable table) {
        super(table);
    }

    void put(int machine) {
        put(machine, 0);
    }
}
