package dev.flotilla.nodeworker.hands;

import dev.flotilla.nodeworker.k8sd.Door;
import dev.flotilla.nodeworker.management.NodeToken;

/** The way to a node's k8sd. */
public sealed interface Way {

    /** Ask there, with that. */
    record Open(Door door, NodeToken token) implements Way {}

    /** Nobody has seen its certificate: see it first, by a way that can be trusted, and pin it. No token before. */
    record FirstContact(String host, int port) implements Way {}

    /** There is none for now. */
    record Closed(String why) implements Way {}
}
