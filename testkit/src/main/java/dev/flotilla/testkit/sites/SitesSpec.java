package dev.flotilla.testkit.sites;

/**
 * Which sites are simulated.
 *
 * @param failPerMille the share of machines, selected by the seed, whose every refresh fails
 * @param speed how many times faster than real ones the nodes work
 * @param providers what upgrades the machines
 */
public record SitesSpec(
        int sites, int clusters, int machines, int failPerMille, long seed, double speed, SitesProviders providers) {
    /** Sites whose machines have k8sd. */
    public SitesSpec(int sites, int clusters, int machines, int failPerMille, long seed, double speed) {
        this(sites, clusters, machines, failPerMille, seed, speed, SitesProviders.K8SD);
    }

    public SitesSpec {
        if (sites < 1 || clusters < sites || machines < clusters || failPerMille < 0 || speed <= 0) {
            throw new IllegalArgumentException(sites + " sites, " + clusters + " clusters, " + machines
                    + " machines at speed " + speed + ": a site needs a cluster, and a cluster a machine");
        }
    }
}
