package dev.flotilla.core.fleet.column;

/** Something that is kept in a {@link PriorityHeap} and knows its place there, so that it can be moved. */
public abstract class HeapEntry<T extends HeapEntry<T>> {
    static final int NOWHERE = -1;

    int place = NOWHERE;

    /** A number that is the less the sooner this goes; it is asked for when this is put in or moved. */
    public abstract long priority();

    /** Whether this goes before another of the same order; no two are the same. */
    public abstract boolean goesBefore(T other);

    public final boolean isQueued() {
        return place != NOWHERE;
    }
}
