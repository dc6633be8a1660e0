package dev.flotilla.core.explain;

/**
 * Why a campaign starts less than its file asks for, as an operator is told.
 *
 * @param message a sentence that goes on after the campaign's name
 */
public record CampaignWarning(WarningKind kind, String message) {

    /** What it is about. */
    public enum WarningKind {
        /** The fleet is frozen, or a site that it selects. */
        FREEZE(false),
        /** Its deadline has passed. */
        DEADLINE(true),
        /** The fleet's policy does not allow it. */
        POLICY(true),
        /** It names a site that is not known. */
        SITE(true),
        /** It is an edit after which somebody has to approve again. */
        APPROVALS(false),
        /** The fleet's policy wants an approval that nobody has given. */
        APPROVAL(false),
        /** It selects nothing. */
        NO_MACHINES(true),
        /** A wave before the last one takes nothing. */
        EMPTY_WAVE(false),
        /** An earlier campaign wants some of its machines elsewhere. */
        OVERLAP(false),
        /** A campaign on which it depends has not come so far. */
        DEPENDENCY(false),
        /** A window is in a time zone that nobody knows. */
        ZONE(false);

        private final boolean needsForce;

        WarningKind(boolean needsForce) {
            this.needsForce = needsForce;
        }

        /** Whether it is most likely a mistake, so that whoever applies such a campaign has to insist on it. */
        public boolean needsForce() {
            return needsForce;
        }
    }
}
