package dev.flotilla.schemas.row;

/** What someone else is doing to a machine just now. */
public enum Activity {
    /** Its owner replaces machines one by one. */
    ROLLING("rolling"),
    /** Its owner changes how many there are. */
    SCALING("scaling"),
    /** A health check is replacing it. */
    REMEDIATION("remediation"),
    /** Its certificates are being refreshed. */
    CERTIFICATES("certificates"),
    /** Another controller is upgrading it in place. */
    FOREIGN("foreign");

    private final String label;

    Activity(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
