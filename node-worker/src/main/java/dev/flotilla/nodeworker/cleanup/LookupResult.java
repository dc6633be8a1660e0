package dev.flotilla.nodeworker.cleanup;

/** What came of looking for something of a machine. */
public sealed interface LookupResult<T> {

    /** Here it is. */
    record LookupSucceeded<T>(T value) implements LookupResult<T> {}

    /** There is no such machine. */
    record LookupEmpty<T>() implements LookupResult<T> {}

    /** It cannot be told. */
    record LookupFailed<T>(String reason) implements LookupResult<T> {}
}
