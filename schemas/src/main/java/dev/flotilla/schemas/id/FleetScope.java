package dev.flotilla.schemas.id;

/** The whole fleet. */
public enum FleetScope implements PolicyScope {
    FLEET;

    @Override
    public String toString() {
        return "fleet";
    }
}
