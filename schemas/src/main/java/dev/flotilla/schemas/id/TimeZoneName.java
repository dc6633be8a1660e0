package dev.flotilla.schemas.id;

/** The IANA name of a time zone, such as {@code Europe/Berlin}. */
public record TimeZoneName(String id) implements EntityKey {
    @Override
    public String toString() {
        return id;
    }
}
