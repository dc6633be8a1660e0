package dev.flotilla.simulator.check;

/** Strings that nodes and management clusters know and no table may. */
public final class SecretLeakInvariants {
    /** What every secret of the simulated world contains. */
    public static final String CANARY = "canary-7f3a";

    private SecretLeakInvariants() {}

    static void check(String text, ViolationLog violationLog) {
        violationLog.require(
                !text.contains(CANARY), Invariant.SECRETS, "a secret is in a row: " + text.length() + " chars");
    }
}
