package dev.flotilla.simulator.play;

/**
 * What is played.
 *
 * @param cap how many machines may be in flight at once in the whole fleet
 * @param failPerMille the share of machines, drawn by the seed, whose every refresh ends in an error
 */
public record PlaySpec(int sites, int clusters, int machines, int cap, int failPerMille, long seed) {
    public PlaySpec {
        if (sites < 1 || clusters < sites || machines < clusters || cap < 1) {
            throw new IllegalArgumentException(sites + " sites, " + clusters + " clusters, " + machines
                    + " machines and cap " + cap + ": a site needs a cluster, and a cluster a machine");
        }
    }
}
