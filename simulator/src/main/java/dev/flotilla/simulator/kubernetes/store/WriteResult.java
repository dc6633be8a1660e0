package dev.flotilla.simulator.kubernetes.store;

/** What came of a request: the object as it stands now, or why not. */
public sealed interface WriteResult permits StoredObject, WriteResult.RemovedObject, ApiError {

    /** It is gone; how it was at last. */
    record RemovedObject(StoredObject last) implements WriteResult {}
}
