package dev.flotilla.schemas.row;

/** What someone else is doing to a machine just now. */
public enum ForeignActivity {
    /** Its owner replaces machines one by one. */
    ROLLING(0, "rolling"),
    /** Its owner changes how many there are. */
    SCALING(1, "scaling"),
    /** A health check is replacing it. */
    REMEDIATION(2, "remediation"),
    /** Its certificates are being refreshed. */
    CERTIFICATES(3, "certificates"),
    /** Another controller is upgrading it in place. */
    FOREIGN(4, "foreign");

    private final int code;
    private final String label;

    ForeignActivity(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** A small number that stands for it. */
    public int code() {
        return code;
    }

    public String label() {
        return label;
    }
}
