package dev.flotilla.simulator.check;

/** Strings that nodes and management clusters know and no table may. */
public final class Secrets {
    /** What every secret of the simulated world contains. */
    public static final String CANARY = "canary-7f3a";

    private Secrets() {}

    static void check(String text, Verdicts verdicts) {
        verdicts.require(
                !text.contains(CANARY), Invariant.SECRETS, "a secret is in a row: " + text.length() + " chars");
    }
}
