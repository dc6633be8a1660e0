package dev.flotilla.simulator.k8sd;

/** What comes back of a request. */
public sealed interface SimK8sdResponse {

    /** An answer, as JSON. */
    record FullResponse(int status, String body) implements SimK8sdResponse {}

    /** The connection is cut instead of an answer. */
    record ConnectionClosed() implements SimK8sdResponse {}

    /** The connection is cut in the middle of an answer. */
    record TruncatedResponse(int status, String body) implements SimK8sdResponse {}

    /** The answer begins and never ends, while the connection stays. */
    record EndlessResponse(int status, String body) implements SimK8sdResponse {}

    /** Nothing comes, while the connection stays. */
    record NoResponse() implements SimK8sdResponse {}
}
