package dev.flotilla.nodeworker.hands;

import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.management.NodeToken;

/** The way to a node's k8sd. */
public sealed interface Way {

    /** Ask there, with that, whoever shows this certificate. */
    record Open(Peer peer, Pin pin, NodeToken token) implements Way {}

    /** Nobody has seen its certificate: see it first, through the proxy, and pin it. No token before. */
    record FirstContact(Peer peer) implements Way {}

    /** There is none for now. */
    record Closed(String why) implements Way {}
}
