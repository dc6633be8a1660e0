package dev.flotilla.managementwatcher.external;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an ExternalUpgradeRequest.
 *
 * @param task name of the UpgradeTask that does it; null if the request is declined
 * @param aborted names of earlier UpgradeTasks that it aborts
 * @param reason a word for programs
 */
record ExternalUpgradeAnswer(
        UpgradeDecision decision,
        @Nullable String task,
        List<String> aborted,
        String reason,
        String message,
        boolean dryRun) {
    public ExternalUpgradeAnswer {
        aborted = List.copyOf(aborted);
    }

    /** Whether a request is accepted. */
    public enum UpgradeDecision {
        ACCEPT("Accept"),
        DECLINE("Decline");

        private final String label;

        UpgradeDecision(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
