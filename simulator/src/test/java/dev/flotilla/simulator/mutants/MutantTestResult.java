package dev.flotilla.simulator.mutants;

/**
 * What came of a mutant in the worlds.
 *
 * @param by the invariant that did not hold and the seed; empty where all held
 */
record MutantTestResult(boolean noticed, String by) {
    static final MutantTestResult SURVIVED = new MutantTestResult(false, "");

    /** The exit status of a JVM in which a mutant's world does not end: that names no invariant. */
    static final int ENDLESS = 99;

    static final MutantTestResult ENDLESS_WORLD = new MutantTestResult(false, "a world never ends");

    /** A line between two JVMs. */
    String line() {
        return noticed + "\t" + by;
    }

    static MutantTestResult of(String line) {
        String[] parts = line.split("\t", 2);
        return new MutantTestResult(Boolean.parseBoolean(parts[0]), parts[1]);
    }
}
