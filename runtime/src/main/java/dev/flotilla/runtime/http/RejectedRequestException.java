package dev.flotilla.runtime.http;

/** A request that gets an error instead of an answer. */
public final class RejectedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient HttpErrorResponse response;

    public RejectedRequestException(HttpErrorResponse response) {
        super(response.message(), null, false, false);
        this.response = response;
    }

    public HttpErrorResponse response() {
        return response;
    }
}
