package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * A field with the Kubernetes version of machines that Cluster API updates in place after it has changed.
 *
 * @param name the name of the object with the field, in the namespace of its cluster
 * @param version the field's value
 * @param manager the field manager that wrote it last; null if unknown
 * @param problem why Cluster API would replace machines after a change; null if it updates all of them in place
 */
public record VersionField(
        VersionFieldKind kind,
        String name,
        String version,
        @Nullable String manager,
        @Nullable String problem) {
    public static final int MAX_PROBLEM = 512;

    public VersionField {
        problem = problem == null || problem.length() <= MAX_PROBLEM ? problem : problem.substring(0, MAX_PROBLEM);
    }

    /** Whether a change is one of this field. */
    public boolean isOf(VersionFieldChange change) {
        return kind == change.kind() && name.equals(change.name());
    }

    /** Returns the object with the field, as text. */
    public String describe() {
        return kind.describe(name);
    }
}
