package dev.flotilla.core.fleet.column;

/** An entry of a {@link PriorityHeap} that knows its position, so that it can be moved. */
public abstract class HeapEntry<T extends HeapEntry<T>> {
    static final int NOWHERE = -1;

    int place = NOWHERE;

    /** The order: lower goes first. Read when the entry is put or moved. */
    public abstract long priority();

    /** Whether this entry goes before another of the same order; no two entries are equal. */
    public abstract boolean goesBefore(T other);

    public final boolean isQueued() {
        return place != NOWHERE;
    }
}
