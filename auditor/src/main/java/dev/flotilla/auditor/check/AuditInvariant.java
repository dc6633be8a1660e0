package dev.flotilla.auditor.check;

/** What must always hold. The numbers are those of the design's list. */
public enum AuditInvariant {
    CAPS("1-caps"),
    /** Gates that are no count: a flag, an order, a wave, a clock. */
    GATES("1-gates"),
    CLUSTER("2-cluster"),
    ONE_CALL("3-one-call"),
    PROOF("4-proof"),
    NOTHING_LOST("5-nothing-lost"),
    BUDGET("6-budget"),
    STOP("7-stop"),
    /** Somebody else writes, or somebody who leads no more; tables and journal say different things. */
    ZOMBIE("9-zombie"),
    /** The journal's own order: its numbers, its chain, its time. */
    JOURNAL("9-journal");

    private final String label;

    AuditInvariant(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
