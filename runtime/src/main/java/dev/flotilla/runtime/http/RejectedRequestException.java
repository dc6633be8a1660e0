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

    /** The body of a call to a webhook is not what API servers send; they report that as a failed webhook. */
    public static RejectedRequestException forNoAdmissionReview() {
        return new RejectedRequestException(new HttpErrorResponse(
                400,
                "invalid",
                "The body is no AdmissionReview of admission.k8s.io/v1 about an object in a namespace.",
                "call this path as a webhook only"));
    }
}
