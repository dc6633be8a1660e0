package dev.flotilla.cli.site.check;

import dev.flotilla.clusterapi.registration.ExtensionConflict;
import dev.flotilla.clusterapi.registration.ExtensionConflictFinder;
import java.util.stream.Collectors;

/** Checks that no other extension of Cluster API serves in-place updates in namespaces of ours. */
final class ExtensionConflictCheck {
    private static final String CHECK = "in-place extensions";

    private ExtensionConflictCheck() {}

    static CheckResult checkExtensions(ExtensionConflictFinder.FindResult found) {
        return switch (found) {
            case ExtensionConflictFinder.FindResult.ExtensionsUnreadable unreadable ->
                CheckResult.unknown(
                        CHECK,
                        unreadable.problem() + ": use credentials that may list ExtensionConfigs and namespaces");
            case ExtensionConflictFinder.FindResult.ExtensionsRead read -> checkRead(read);
        };
    }

    private static CheckResult checkRead(ExtensionConflictFinder.FindResult.ExtensionsRead read) {
        if (!read.conflicts().isEmpty()) {
            return CheckResult.failed(
                    CHECK,
                    read.conflicts().stream().map(ExtensionConflict::describe).collect(Collectors.joining("; ")));
        }
        return CheckResult.ok(
                CHECK,
                read.ours().isEmpty()
                        ? "Flotilla is not registered with Cluster API"
                        : "no other extension serves in-place updates in Flotilla's namespaces");
    }
}
