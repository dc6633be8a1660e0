package dev.flotilla.core.explain;

/**
 * A warning that an accepted campaign starts less than its manifest asks for.
 *
 * @param message a sentence that continues after the campaign's name
 */
public record CampaignWarning(WarningKind kind, String message) {

    /** The subject of a warning. */
    public enum WarningKind {
        /** The fleet, or a selected site, is frozen. */
        FREEZE(false),
        /** The deadline has passed. */
        DEADLINE(true),
        /** The fleet's policy does not allow the campaign. */
        POLICY(true),
        /** The campaign names an unknown site. */
        SITE(true),
        /** The edit ends approvals, which must be given again. */
        APPROVALS(false),
        /** The fleet's policy requires an approval that is missing. */
        APPROVAL(false),
        /** The campaign selects no machine. */
        NO_MACHINES(true),
        /** Selected machines have a provider that cannot apply the target. */
        PROVIDER(true),
        /** Cluster API would replace machines, or machines that are not selected would be updated too. */
        CLUSTER_API(true),
        /** A wave other than the last has no machine. */
        EMPTY_WAVE(false),
        /** An earlier campaign has another target for some of the machines. */
        OVERLAP(false),
        /** A campaign that this one depends on has too few successes. */
        DEPENDENCY(false),
        /** Its machines are never prepared, although it asks for it. */
        PREPARATION(false),
        /** A maintenance window has an unknown time zone. */
        ZONE(false);

        private final boolean needsForce;

        WarningKind(boolean needsForce) {
            this.needsForce = needsForce;
        }

        /** Whether the campaign is probably a mistake, so that applying it needs {@code --force}. */
        public boolean needsForce() {
            return needsForce;
        }
    }
}
