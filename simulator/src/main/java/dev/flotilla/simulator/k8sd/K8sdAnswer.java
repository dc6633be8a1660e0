package dev.flotilla.simulator.k8sd;

/** What comes back of a request. */
public sealed interface K8sdAnswer {

    /** An answer, as JSON. */
    record Said(int status, String body) implements K8sdAnswer {}

    /** The connection is cut instead of an answer. */
    record Cut() implements K8sdAnswer {}

    /** The connection is cut in the middle of an answer. */
    record CutShort(int status, String body) implements K8sdAnswer {}

    /** The answer begins and never ends, while the connection stays. */
    record Drips(int status, String body) implements K8sdAnswer {}

    /** Nothing comes, while the connection stays. */
    record Silence() implements K8sdAnswer {}
}
