package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/** Result of one request. */
public sealed interface K8sdRequestResult {

    /** Nothing was sent, so nothing was done. */
    record RequestNotSent(String reason) implements K8sdRequestResult {}

    /** The node shows another certificate than the pinned one; it received no token and no request. */
    record UntrustedCertificate(String reason) implements K8sdRequestResult {}

    /** The request was sent in whole or in part, and no complete response came. */
    record ConnectionBroken(String reason) implements K8sdRequestResult {}

    /** A response that k8sd never sends: cut short, not JSON, or with missing fields. */
    record UnreadableResponse(int status, String reason) implements K8sdRequestResult {}

    /** k8sd returned an error. */
    record ErrorReturned(int status, String error) implements K8sdRequestResult {}

    /** k8sd returned success. */
    record SuccessReturned(JsonObjectReader metadata) implements K8sdRequestResult {}
}
