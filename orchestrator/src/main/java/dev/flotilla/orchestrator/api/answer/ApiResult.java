package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.runtime.http.HttpErrorResponse;

/** The result of an API query. */
public sealed interface ApiResult<T> {

    /** The query has a value. */
    record ApiValue<T>(T value) implements ApiResult<T> {}

    /** The query failed; the error says why. */
    record ApiError<T>(HttpErrorResponse error) implements ApiResult<T> {}

    static <T> ApiResult<T> found(T value) {
        return new ApiValue<>(value);
    }

    static <T> ApiResult<T> failed(HttpErrorResponse error) {
        return new ApiError<>(error);
    }
}
