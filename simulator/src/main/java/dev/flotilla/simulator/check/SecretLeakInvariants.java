package dev.flotilla.simulator.check;

/** No secret of nodes and management clusters appears in a table. */
final class SecretLeakInvariants {
    /** A text that every secret of the simulated world contains. */
    public static final String CANARY = "canary-7f3a";

    private SecretLeakInvariants() {}

    static void check(String text, ViolationLog violationLog) {
        violationLog.require(
                !text.contains(CANARY),
                Invariant.SECRETS,
                "a row contains a secret, in a text of " + text.length() + " characters");
    }
}
