package dev.flotilla.cli.allinone;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Adds the rule that names the first template to a policy that was written before there was one: a new management cluster has no
 * templates, because this program has installed their CRD just before. A policy that somebody else has written stays.
 */
final class FirstTemplateRule {
    private static final Duration INVENTORY_TIMEOUT = Duration.ofSeconds(10);

    private final ManagementClusterSetup cluster;
    private final String bootstrap;
    private final SiteId site;
    private final UpgradePolicy written;
    private final boolean simulated;
    private boolean done;

    /**
     * Makes a rule.
     *
     * @param written the policy without a template
     * @param simulated whether to create the template of simulated NodeUpgrades when there are machines
     */
    FirstTemplateRule(
            ManagementClusterSetup cluster, String bootstrap, SiteId site, UpgradePolicy written, boolean simulated) {
        this.cluster = cluster;
        this.bootstrap = bootstrap;
        this.site = site;
        this.written = written;
        this.simulated = simulated;
    }

    /** Adds the rule if there is a template now. Returns what was done, null if nothing was. */
    @Nullable
    String addOnce() {
        if (done) {
            return null;
        }
        NodeUpgradeTemplateRef template;
        int machines;
        try {
            if (simulated) {
                cluster.createSimulatedTemplates();
            }
            template = cluster.findOnlyTemplate();
            machines = cluster.readMachines().machines();
        } catch (AllInOneException e) {
            // The API server is away: it is asked again in a later round.
            return null;
        }
        if (template == null) {
            return null;
        }
        done = true;
        if (!written.equals(FleetPolicyWriter.read(bootstrap))) {
            return null;
        }
        boolean ofAll =
                SiteMachines.read(bootstrap, site, machines, INVENTORY_TIMEOUT).allHaveNodeUpgrades();
        FleetPolicyWriter.write(bootstrap, FleetPolicyWriter.withTemplate(template, ofAll));
        return "the policy names NodeUpgradeTemplate " + template.name() + " now: "
                + (ofAll
                        ? "all machines may start, one at a time"
                        : "machines with label flotilla.dev/provider: node-upgrade may start, one at a time");
    }
}
