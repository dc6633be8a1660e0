package dev.flotilla.orchestrator.api;

import dev.flotilla.runtime.http.HttpErrorResponse;

/** What came of a question. */
sealed interface Reply<T> {

    /** There is an answer. */
    record Found<T>(T value) implements Reply<T> {}

    /** There is none, and why. */
    record None<T>(HttpErrorResponse why) implements Reply<T> {}

    static <T> Reply<T> found(T value) {
        return new Found<>(value);
    }

    static <T> Reply<T> none(HttpErrorResponse why) {
        return new None<>(why);
    }
}
