package dev.flotilla.cli.site.check;

import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.VersionField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks that no GitOps tool writes the versions that campaigns write: it would write the old ones back. */
final class VersionManagerCheck {
    private static final String CHECK = "versions";
    private static final int MOST_NAMED = 5;

    /** Parts of the field managers' names under which tools of GitOps write. */
    private static final List<String> GITOPS =
            List.of("argocd", "kustomize-controller", "helm-controller", "flux", "fleetagent", "configsync");

    private VersionManagerCheck() {}

    /** Returns the result; null if Cluster API updates no machines of the site in place. */
    static @Nullable CheckResult checkVersions(List<ClusterRow> clusters) {
        List<String> managed = new ArrayList<>();
        int fields = 0;
        for (ClusterRow cluster : clusters) {
            for (VersionField field : cluster.versionFields()) {
                fields++;
                if (isGitOps(field.manager())) {
                    managed.add(field.describe() + " of " + cluster.key() + " (" + field.manager() + ")");
                }
            }
        }
        if (fields == 0) {
            return null;
        }
        if (managed.isEmpty()) {
            return CheckResult.ok(CHECK, "no GitOps tool has written a version that campaigns write");
        }
        int more = managed.size() - MOST_NAMED;
        return CheckResult.differs(
                CHECK,
                "GitOps writes the version of "
                        + String.join(", ", managed.subList(0, Math.min(MOST_NAMED, managed.size())))
                        + (more > 0 ? " and " + more + " more" : "")
                        + ": let it ignore the field, otherwise it writes the old version back and the campaign pauses");
    }

    private static boolean isGitOps(@Nullable String manager) {
        return manager != null && GITOPS.stream().anyMatch(manager.toLowerCase(Locale.ROOT)::contains);
    }
}
