package dev.flotilla.core.fleet;

/** Something that is kept in a {@link RankedHeap} and knows its place there, so that it can be moved. */
abstract class Ranked<T extends Ranked<T>> {
    static final int NOWHERE = -1;

    int place = NOWHERE;

    /** Whether this goes before another; a total order. */
    abstract boolean before(T other);
}
