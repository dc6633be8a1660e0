package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/** How one request went. */
public sealed interface K8sdRequestResult {

    /** Nothing of it was sent: certainly nothing was done. */
    record RequestNotSent(String reason) implements K8sdRequestResult {}

    /** The node shows another certificate than the one that is pinned: it saw no token and no request. */
    record UntrustedCertificate(String reason) implements K8sdRequestResult {}

    /** It was sent, or part of it, and no whole answer came. */
    record ConnectionBroken(String reason) implements K8sdRequestResult {}

    /** An answer that k8sd would not give: cut short, not JSON, or without what belongs in it. */
    record UnreadableResponse(int status, String reason) implements K8sdRequestResult {}

    /** k8sd says no. */
    record ErrorReturned(int status, String error) implements K8sdRequestResult {}

    /** k8sd says yes. */
    record SuccessReturned(JsonObjectReader metadata) implements K8sdRequestResult {}
}
