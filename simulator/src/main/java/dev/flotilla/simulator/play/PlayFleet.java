package dev.flotilla.simulator.play;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.operator.Policies;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.world.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fleet of a play and the campaign that upgrades it: a canary, an early wave, and the rest. */
final class PlayFleet {
    static final CampaignName CAMPAIGN = new CampaignName("k8s-1-33");

    private static final String RING = "ring";
    private static final String CANARY = "canary";
    private static final String EARLY = "early";
    private static final String REST = "rest";

    /** Smaller clusters have a control plane of one machine, and so has one in three of the others. */
    private static final int SMALLEST_WITH_THREE = 5;

    private static final int ONE_IN_SO_MANY_PLAIN = 3;

    private static final int CANARY_PERCENT = 5;
    private static final int CANARY_AT_LEAST = 3;
    private static final int EARLY_PERCENT = 20;
    private static final long REFRESH_MILLIS = 600_000;

    /** What ends in an error does so early. */
    private static final long ERROR_MILLIS = 150_000;

    private static final int SPREAD_PERCENT = 20;

    private final PlaySpec spec;

    PlayFleet(PlaySpec spec) {
        this.spec = spec;
    }

    void furnish(SimFleet fleet, NodeMaker nodes) {
        List<Boolean> failing = failing();
        List<SimSite> sites = new ArrayList<>();
        for (int i = 1; i <= spec.sites(); i++) {
            sites.add(fleet.addSite("site-" + i));
        }
        int machine = 0;
        for (int i = 0; i < spec.clusters(); i++) {
            SimSite site = sites.get(i % sites.size());
            SimCluster cluster = fleet.addCluster(site, "k" + (i + 1), labels(RING, ring(i)));
            int size = spec.machines() / spec.clusters() + (i < spec.machines() % spec.clusters() ? 1 : 0);
            boolean plain = size < SMALLEST_WITH_THREE || i % ONE_IN_SO_MANY_PLAIN == ONE_IN_SO_MANY_PLAIN - 1;
            int controlPlanes = plain ? 1 : 3;
            for (int place = 0; place < size; place++) {
                boolean first = place < controlPlanes;
                String name =
                        cluster.key().name() + (first ? "-cp-" + (place + 1) : "-w-" + (place - controlPlanes + 1));
                NodeTemper temper = failing.get(machine++)
                        ? NodeTemper.calm(ERROR_MILLIS, SPREAD_PERCENT).alwaysFailing()
                        : NodeTemper.calm(REFRESH_MILLIS, SPREAD_PERCENT);
                Role role = first ? Role.CONTROL_PLANE : Role.WORKER;
                fleet.addMachine(site, cluster, name, role, Labels.NONE, nodes.node(site.id() + "-" + name, temper));
            }
        }
    }

    /** Exactly the share that was asked for, rounded to the nearest machine, at places that the seed draws. */
    private List<Boolean> failing() {
        int count = (int) (((long) spec.machines() * spec.failPerMille() + 500) / 1000);
        List<Boolean> failing = new ArrayList<>();
        for (int i = 0; i < spec.machines(); i++) {
            failing.add(i < count);
        }
        new Chance(spec.seed()).split("failing").shuffle(failing);
        return failing;
    }

    private String ring(int cluster) {
        int canaries = Math.min(
                Math.max(CANARY_AT_LEAST, spec.clusters() * CANARY_PERCENT / 100), Math.max(1, spec.clusters() / 4));
        if (cluster < canaries) {
            return CANARY;
        }
        return cluster < Math.max(canaries + 1, spec.clusters() * EARLY_PERCENT / 100) ? EARLY : REST;
    }

    Policy policy() {
        return Policies.capped(spec.cap());
    }

    Campaign campaign() {
        UpgradeOption target = new UpgradeOption.Channel(Releases.channel(1));
        List<Wave> waves = List.of(
                new Wave(CANARY, List.of(), selector(CANARY), false, 50),
                new Wave(EARLY, List.of(), selector(EARLY), false, 80),
                new Wave(REST, List.of(), Selector.ALL, false, 100));
        return new Campaign(
                CAMPAIGN,
                Labels.NONE,
                new CampaignSpec(
                        target,
                        null,
                        Selection.EVERYTHING,
                        waves,
                        null,
                        null,
                        null,
                        null,
                        null,
                        50,
                        MAX_UNAVAILABLE,
                        true,
                        RETRIES));
    }

    private static final RetryRule RETRIES = new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(10));

    static final Limit MAX_UNAVAILABLE = new Limit.Percent(30);

    private static Selector selector(String ring) {
        return new Selector(List.of(new Selector.Requirement(RING, Selector.Operator.IN, List.of(ring))));
    }

    private static Labels labels(String key, String value) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(key, value);
        return new Labels(labels);
    }
}
