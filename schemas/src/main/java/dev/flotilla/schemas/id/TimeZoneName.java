package dev.flotilla.schemas.id;

/** The name of a time zone whose rules are a row. */
public record TimeZoneName(String id) implements EntityKey {
    @Override
    public String toString() {
        return id;
    }
}
