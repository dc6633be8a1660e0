package dev.flotilla.schemas.id;

/** The whole fleet. */
public enum Fleet implements Scope {
    FLEET;

    @Override
    public String toString() {
        return "fleet";
    }
}
