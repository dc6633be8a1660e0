package dev.flotilla.core.fleet;

/** Something that is kept in a {@link RankedHeap} and knows its place there, so that it can be moved. */
abstract class Ranked<T extends Ranked<T>> {
    static final int NOWHERE = -1;

    int place = NOWHERE;

    /** A number that is the less the sooner this goes; it is asked for when this is put in or moved. */
    abstract long order();

    /** Whether this goes before another of the same order; no two are the same. */
    abstract boolean before(T other);
}
