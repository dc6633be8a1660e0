package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.CoverageAnswer.ObjectChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a machine.
 *
 * @param machine namespace and name
 * @param owner kind and name of the object that its machines belong to
 * @param uncovered the changes that are not made in place; empty if all are, or if the extension is not asked
 * @param reason why it is replaced or held, besides uncovered changes; empty if there is nothing to add
 */
public record MachinePlan(
        String machine, String owner, MachineFate fate, List<UncoveredPath> uncovered, String reason) {
    public MachinePlan {
        uncovered = List.copyOf(uncovered);
    }

    /** What happens to a machine. */
    public enum MachineFate {
        /** It is updated and keeps its name. */
        IN_PLACE,
        /** It is deleted, and another is made. */
        REPLACED,
        /** Nothing happens until the change is taken back or covered. */
        HELD
    }

    /**
     * A field that changes and is not covered, with values that may be shown.
     *
     * @param from null if the field is added
     * @param to null if the field is removed
     * @param reason why it is not covered; empty if the table does not have it
     */
    public record UncoveredPath(
            String kind,
            String path,
            @Nullable String from,
            @Nullable String to,
            String reason) {
        static UncoveredPath of(ObjectChange change) {
            return new UncoveredPath(
                    change.kind(),
                    "spec." + change.change().path(),
                    ShownValue.of(change, change.change().from()),
                    ShownValue.of(change, change.change().to()),
                    change.reason());
        }
    }
}
