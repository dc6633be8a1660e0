package dev.flotilla.schemas.row;

/**
 * A change of a version field that the site's watcher makes.
 *
 * @param name the name of the object with the field
 * @param from the value that the field must have before the change
 * @param written whether the field was seen to have the new value
 */
public record VersionFieldChange(VersionFieldKind kind, String name, String from, boolean written) {
    /** Returns the change after the field was seen to have the new value. */
    public VersionFieldChange asWritten() {
        return new VersionFieldChange(kind, name, from, true);
    }
}
