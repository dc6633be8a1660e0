package dev.flotilla.nodeworker.cleanup;

/** Result of a lookup about a machine. */
public sealed interface LookupResult<T> {

    /** The value was found. */
    record LookupSucceeded<T>(T value) implements LookupResult<T> {}

    /** There is no such machine. */
    record LookupEmpty<T>() implements LookupResult<T> {}

    /** The lookup failed. */
    record LookupFailed<T>(String reason) implements LookupResult<T> {}
}
