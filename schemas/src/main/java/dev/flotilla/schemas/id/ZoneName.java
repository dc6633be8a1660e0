package dev.flotilla.schemas.id;

/** The name of a time zone whose rules are a row. */
public record ZoneName(String id) implements Key {
    @Override
    public String toString() {
        return id;
    }
}
