package dev.flotilla.nodeworker.mend;

/** What came of looking for something of a machine. */
public sealed interface Look<T> {

    /** Here it is. */
    record Seen<T>(T it) implements Look<T> {}

    /** There is no such machine. */
    record Missing<T>() implements Look<T> {}

    /** It cannot be told. */
    record Dark<T>(String why) implements Look<T> {}
}
