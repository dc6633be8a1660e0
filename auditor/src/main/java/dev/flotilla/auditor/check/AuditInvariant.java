package dev.flotilla.auditor.check;

/** The audited invariants. The numbers are those of the design's list. */
public enum AuditInvariant {
    CAPS("1-caps"),
    /** Gates that are not counts: flags, orders, waves, clocks. */
    GATES("1-gates"),
    CLUSTER("2-cluster"),
    ONE_CALL("3-one-call"),
    PROOF("4-proof"),
    NOTHING_LOST("5-nothing-lost"),
    BUDGET("6-budget"),
    STOP("7-stop"),
    /** A record of another writer or of a fenced leader; tables and journal differ. */
    ZOMBIE("9-zombie"),
    /** The journal's order: its numbers, its hash chain, its time. */
    JOURNAL("9-journal");

    private final String label;

    AuditInvariant(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
