package dev.flotilla.simulator.kubernetes.store;

/** What came of a request: the object as it stands now, or why not. */
public sealed interface Outcome permits Stored, Outcome.Removed, Refusal {

    /** It is gone; how it was at last. */
    record Removed(Stored last) implements Outcome {}
}
