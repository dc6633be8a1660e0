package dev.flotilla.cli.demo;

import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.List;

/**
 * What is shown.
 *
 * @param cap how many machines may be in flight at once in the whole fleet
 * @param failRate the share of machines whose every refresh ends in an error, as it was asked for
 * @param realKubernetes whether management clusters are real API servers
 */
record DemoSpec(SitesSpec sites, double failRate, int cap, boolean realKubernetes) {
    SitesFleetLayout fleet() {
        return new SitesFleetLayout(sites);
    }

    /** The same for the process that simulates the sites. */
    List<String> arguments() {
        return List.of(
                "--sites",
                Integer.toString(sites.sites()),
                "--clusters",
                Integer.toString(sites.clusters()),
                "--machines",
                Integer.toString(sites.machines()),
                "--fail-rate",
                Double.toString(failRate),
                "--seed",
                Long.toString(sites.seed()),
                "--speed",
                Double.toString(sites.speed()),
                "--kubernetes",
                realKubernetes ? "real" : "embedded");
    }
}
