package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The directories below which the local paths of campaigns may point: the same as for the annotations of a site. */
public final class LocalPathRule {
    private static final int MAX_SHOWN = 4;
    private static final int MAX_LENGTH = 100;

    private LocalPathRule() {}

    /** Which directories a rule allows, as a sentence without its end. Long lists and paths are cut. */
    public static String describe(IntentRule rule, @Nullable SiteId site) {
        return "the policy of " + (site == null ? "the fleet" : "site " + site)
                + " allows localPath= only below the directories of intents.localPaths: " + describe(rule.localPaths());
    }

    private static String describe(List<String> directories) {
        if (directories.isEmpty()) {
            return "none";
        }
        String shown = directories.stream()
                .limit(MAX_SHOWN)
                .map(directory ->
                        directory.length() > MAX_LENGTH ? directory.substring(0, MAX_LENGTH) + "…" : directory)
                .collect(Collectors.joining(", "));
        return directories.size() > MAX_SHOWN ? shown + " and " + (directories.size() - MAX_SHOWN) + " more" : shown;
    }
}
