package dev.flotilla.simulator.mutants;

/**
 * The result of a mutant in the worlds.
 *
 * @param by the violated invariant and the seed; empty if all held
 */
record MutantTestResult(boolean detected, String by) {
    static final MutantTestResult SURVIVED = new MutantTestResult(false, "");

    /** The exit status of a JVM in which a mutant's world does not end; that names no invariant. */
    static final int ENDLESS = 99;

    static final MutantTestResult ENDLESS_WORLD = new MutantTestResult(false, "a world never ends");

    /** The result as a line between two JVMs. */
    String line() {
        return detected + "\t" + by;
    }

    static MutantTestResult of(String line) {
        String[] parts = line.split("\t", 2);
        return new MutantTestResult(Boolean.parseBoolean(parts[0]), parts[1]);
    }
}
