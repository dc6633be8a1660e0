package dev.flotilla.orchestrator.loop;

/**
 * What one transaction may hold. What does not fit is due work, found again from the rows.
 *
 * @param records rows and journal records together
 * @param bytes of the journal's records; rows are what those hold, so a transaction has about twice as many
 * @param partitions of the rows; a commit's cost grows with them
 */
record Bounds(int records, int bytes, int partitions) {
    static final Bounds USUAL = new Bounds(5_000, 2 * 1024 * 1024, 64);
}
