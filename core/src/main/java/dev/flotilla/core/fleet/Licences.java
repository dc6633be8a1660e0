package dev.flotilla.core.fleet;

/** Machines whose open attempt has to be looked at again, since something that allows it has changed. By key. */
final class Licences extends IndexedHeap {
    private final MachineTable table;

    Licences(MachineTable table) {
        this.table = table;
    }

    @Override
    boolean before(int machine, int other) {
        return table.compareKeys(machine, other) < 0;
    }
}
