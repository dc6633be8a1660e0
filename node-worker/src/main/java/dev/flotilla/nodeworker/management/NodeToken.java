package dev.flotilla.nodeworker.management;

/** What a node's k8sd wants to see before it obeys. Shows itself only to who asks for it by name. */
public final class NodeToken {
    private final String value;

    NodeToken(String value) {
        this.value = value;
    }

    /** The token itself, for the header and nothing else. */
    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "a node token";
    }
}
