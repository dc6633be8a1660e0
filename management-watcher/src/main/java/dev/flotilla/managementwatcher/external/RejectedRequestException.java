package dev.flotilla.managementwatcher.external;

import dev.flotilla.runtime.http.HttpErrorResponse;

/** A request that gets an error instead of an answer. */
final class RejectedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient HttpErrorResponse response;

    RejectedRequestException(HttpErrorResponse response) {
        super(response.message(), null, false, false);
        this.response = response;
    }

    HttpErrorResponse response() {
        return response;
    }
}
