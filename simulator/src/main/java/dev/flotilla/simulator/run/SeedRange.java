package dev.flotilla.simulator.run;

/** A range of seeds, both ends included. */
public record SeedRange(long first, long last) {
    public long count() {
        return Math.max(0, last - first + 1);
    }
}
