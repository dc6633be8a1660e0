package dev.flotilla.cli.demo;

import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.List;

/**
 * Parameters of a demonstration.
 *
 * @param cap how many machines may be in flight at once in the whole fleet
 * @param failRate share of machines on which every refresh fails
 * @param realKubernetes whether management clusters are real API servers
 */
public record DemoSpec(SitesSpec sites, double failRate, int cap, boolean realKubernetes) {
    public SitesFleetLayout fleet() {
        return new SitesFleetLayout(sites);
    }

    /** Whether NodeUpgrades upgrade any machine. */
    boolean hasNodeUpgrades() {
        return sites.providers().has(UpgradeProvider.NODE_UPGRADE);
    }

    /** Arguments for the process that simulates the sites. */
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
                realKubernetes ? "real" : "embedded",
                "--provider",
                sites.providers().label());
    }
}
