package dev.flotilla.schemas.id;

/** The policy scope that is the whole fleet. */
public enum FleetScope implements PolicyScope {
    FLEET;

    @Override
    public String toString() {
        return "fleet";
    }
}
