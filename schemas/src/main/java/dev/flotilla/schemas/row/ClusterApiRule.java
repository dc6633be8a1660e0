package dev.flotilla.schemas.row;

/**
 * What a campaign does in clusters whose machines Cluster API updates in place.
 *
 * @param uncovered what it does if Cluster API would replace machines
 */
public record ClusterApiRule(UncoveredChange uncovered) {
    public static final ClusterApiRule DEFAULT = new ClusterApiRule(UncoveredChange.STOP);

    /** What to do with a change after which Cluster API replaces machines. */
    public enum UncoveredChange {
        /** The change is not made. */
        STOP("stop"),
        /** The change is made, and Cluster API replaces the machines. */
        REPLACE("replace");

        private final String label;

        UncoveredChange(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
