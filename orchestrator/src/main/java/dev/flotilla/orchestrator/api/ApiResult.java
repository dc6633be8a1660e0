package dev.flotilla.orchestrator.api;

import dev.flotilla.runtime.http.HttpErrorResponse;

/** What came of a question. */
sealed interface ApiResult<T> {

    /** There is an answer. */
    record ApiValue<T>(T value) implements ApiResult<T> {}

    /** There is none, and why. */
    record ApiError<T>(HttpErrorResponse error) implements ApiResult<T> {}

    static <T> ApiResult<T> found(T value) {
        return new ApiValue<>(value);
    }

    static <T> ApiResult<T> none(HttpErrorResponse why) {
        return new ApiError<>(why);
    }
}
