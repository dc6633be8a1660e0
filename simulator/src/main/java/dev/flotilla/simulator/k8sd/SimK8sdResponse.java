package dev.flotilla.simulator.k8sd;

/** How a node responds to a request. */
public sealed interface SimK8sdResponse {

    /** A complete response with a JSON body. */
    record FullResponse(int status, String body) implements SimK8sdResponse {}

    /** The connection closes without a response. */
    record ConnectionClosed() implements SimK8sdResponse {}

    /** The connection closes in the middle of the response. */
    record TruncatedResponse(int status, String body) implements SimK8sdResponse {}

    /** The response starts and never ends; the connection stays open. */
    record EndlessResponse(int status, String body) implements SimK8sdResponse {}

    /** No response; the connection stays open. */
    record NoResponse() implements SimK8sdResponse {}
}
