package dev.flotilla.nodeworker.k8sd.trust;

/** The token that a node's k8sd requires. It does not appear in {@code toString}. */
public final class NodeToken {
    private final String value;

    NodeToken(String value) {
        this.value = value;
    }

    /** Returns the token, for the request header only. */
    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "a node token";
    }
}
