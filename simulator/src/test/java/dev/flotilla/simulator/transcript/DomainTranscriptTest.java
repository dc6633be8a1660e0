package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.DomainCap;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.operator.Policies;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.run.World;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One machine of each zone at once: whoever shares its zone with one in flight waits, whatever the others do. */
class DomainTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final int MACHINES = 6;
    private static final int CAP = 6;
    private static final long FLEET_KNOWN = 15_000;
    private static final NodeTemper CALM = NodeTemper.calm(300_000, 20);

    @Test
    void oneOfEachZoneFliesAtOnce() {
        String told = new Scenario(1, MACHINES, DomainTranscriptTest::furnish)
                .play(DomainTranscriptTest::begin, Scenario.over(UPGRADE));

        assertThat(told).contains("campaign-completed upgrade");
        Golden.check("one-of-each-zone", told);
    }

    private static void furnish(SimFleet fleet, NodeMaker nodes) {
        SimSite north = fleet.addSite("north");
        for (int i = 0; i < MACHINES; i++) {
            String zone = i % 3 == 0 ? "a" : "b";
            String name = "k" + i + "-" + zone;
            SimCluster cluster = fleet.addCluster(north, name, Labels.NONE);
            fleet.addMachine(north, cluster, name, Role.WORKER, zone(zone), nodes.node(name, CALM));
        }
    }

    private static Labels zone(String zone) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(ZONE, zone);
        return new Labels(labels);
    }

    private static void begin(World world) {
        world.desk().write(Policies.capped(CAP));
        world.scheduler().after(FLEET_KNOWN, () -> world.desk().write(campaign()));
    }

    private static Campaign campaign() {
        CampaignSpec spec = new CampaignSpec(
                new UpgradeOption.Channel(Releases.channel(1)),
                null,
                Selection.EVERYTHING,
                List.of(new Wave("all", List.of(), Selector.ALL, false, 100)),
                null,
                null,
                null,
                null,
                null,
                0,
                new Limit.Count(1),
                true,
                new RetryRule(1, Duration.ofMinutes(1), Duration.ofMinutes(10)));
        return new Campaign(
                UPGRADE, Labels.NONE, spec.with(Terms.NONE.capping(List.of(new DomainCap(ZONE, new Limit.Count(1))))));
    }
}
