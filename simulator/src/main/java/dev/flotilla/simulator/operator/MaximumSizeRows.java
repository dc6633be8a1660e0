package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rows of the maximum size that operators may write: the additional content has no meaning. */
public final class MaximumSizeRows {
    /**
     * An object's name has at most 253 characters; the names of machines and owners begin with their cluster's name.
     */
    private static final int CLUSTER_NAME = 230;

    private static final int LABEL_VALUE = 63;
    private static final int LABELS_OF_MACHINE = 24;
    private static final int LABELS_OF_CAMPAIGN = 400;
    private static final int DIRECTORIES = 31;
    private static final int DIRECTORY = 480;

    private MaximumSizeRows() {}

    /** The name of a cluster, extended to the maximum length. */
    public static String longClusterName(String name) {
        return name + "x".repeat(CLUSTER_NAME - name.length());
    }

    /** A machine's labels, and many more. */
    public static Labels manyLabels(Labels labels) {
        return labels(labels, LABELS_OF_MACHINE);
    }

    static Campaign campaign(Campaign campaign) {
        return new Campaign(campaign.name(), labels(campaign.labels(), LABELS_OF_CAMPAIGN), campaign.spec());
    }

    /** A policy with the maximum number of directories, if it has a rule for intents. */
    static UpgradePolicy policy(UpgradePolicy policy) {
        UpgradePolicy.IntentRule rule = policy.intentRule();
        if (rule == null) {
            return policy;
        }
        List<String> paths = new ArrayList<>(rule.localPaths());
        for (int i = 0; i < DIRECTORIES; i++) {
            paths.add("/srv/" + i + "/" + "d".repeat(DIRECTORY));
        }
        return policy.withCalendar(
                policy.calendar(),
                new UpgradePolicy.IntentRule(
                        rule.maxUnavailable(),
                        rule.retryRule(),
                        paths,
                        rule.maxInFlight(),
                        rule.maxInFlightPerCluster(),
                        rule.clusterSoak(),
                        rule.windows(),
                        rule.drainMode(),
                        rule.versions(),
                        rule.priority(),
                        rule.targetPatterns()));
    }

    private static Labels labels(Labels labels, int more) {
        SortedMap<String, String> all = new TreeMap<>(labels.values());
        for (int i = 0; i < more; i++) {
            all.put("example.org/label-" + i, "v".repeat(LABEL_VALUE));
        }
        return new Labels(all);
    }
}
