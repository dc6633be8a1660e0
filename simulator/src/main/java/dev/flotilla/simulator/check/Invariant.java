package dev.flotilla.simulator.check;

/** What must always hold. The labels are the same in reports, tables and transcripts. */
public enum Invariant {
    CAPS("1-caps"),
    CLUSTER("2-cluster"),
    ONE_CALL("3-one-call"),
    PROOF("4-proof"),
    NOTHING_LOST("5-nothing-lost"),
    BUDGET("6-budget"),
    STOP("7-stop"),
    SAME_ROWS("8-same-rows"),
    ZOMBIE("9-zombie"),
    SECRETS("10-secrets"),
    /** The gates that are no count: a start that an order, a wave, a flag or a clock forbids. */
    GATES("gates"),
    /** An attempt ends by a word about itself, once, and numbers never repeat. */
    NUMBERS("numbers"),
    /** Nothing throws: a decision is total. */
    NO_BUG("no-bug");

    private final String label;

    Invariant(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
