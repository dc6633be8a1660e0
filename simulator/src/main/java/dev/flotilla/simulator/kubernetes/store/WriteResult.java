package dev.flotilla.simulator.kubernetes.store;

/** The result of a write: the object as it is now, or an error. */
public sealed interface WriteResult permits StoredObject, WriteResult.RemovedObject, ApiError {

    /** The object was deleted; its last state. */
    record RemovedObject(StoredObject last) implements WriteResult {}
}
