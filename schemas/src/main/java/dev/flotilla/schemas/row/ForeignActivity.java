package dev.flotilla.schemas.row;

/** What another controller is doing to a machine. */
public enum ForeignActivity {
    /** Its owner is replacing machines one by one. */
    ROLLING(0, "rolling"),
    /** Its owner is changing the number of machines. */
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

    /** Returns the number that represents it in compact columns. */
    public int code() {
        return code;
    }

    public String label() {
        return label;
    }
}
