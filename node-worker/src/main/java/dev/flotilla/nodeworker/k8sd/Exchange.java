package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/** How one request went. */
public sealed interface Exchange {

    /** Nothing of it was sent: certainly nothing was done. */
    record NotSent(String why) implements Exchange {}

    /** The node shows another certificate than the one that is pinned: it saw no token and no request. */
    record Untrusted(String why) implements Exchange {}

    /** It was sent, or part of it, and no whole answer came. */
    record Broken(String why) implements Exchange {}

    /** An answer that k8sd would not give: cut short, not JSON, or without what belongs in it. */
    record Garbled(int status, String why) implements Exchange {}

    /** k8sd says no. */
    record Refusal(int status, String error) implements Exchange {}

    /** k8sd says yes. */
    record Success(JsonObjectReader metadata) implements Exchange {}
}
