package dev.flotilla.nodeworker.hands;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.workload.Cordon;
import dev.flotilla.nodeworker.workload.Drain;
import dev.flotilla.nodeworker.workload.DrainRule;
import dev.flotilla.nodeworker.workload.Nodes;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.DrainMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Takes the pods off one node, as the site wants it. */
final class Emptying {
    private static final String EXCLUDED = "machine.cluster.x-k8s.io/exclude-node-draining";

    /** More is no bound: the site's is shorter. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Site site;
    private final KubeApiClient api;
    private final Errand errand;
    private final String node;
    private @Nullable String problem;

    Emptying(Site site, KubeApiClient api, Errand errand, String node) {
        this.site = site;
        this.api = api;
        this.errand = errand;
        this.node = node;
    }

    /** Whether the node is to be emptied. Where that cannot be told there is a problem. */
    boolean isWanted(KubeObject machine) {
        if (machine.annotation(EXCLUDED) != null) {
            return false;
        }
        DrainMode asked = errand.drain();
        return switch (asked == null ? site.settings.drain().mode() : asked) {
            case NEVER -> false;
            case ALWAYS -> true;
            case AUTO ->
                switch (new Nodes(api).all()) {
                    case Nodes.Listed.Dark dark -> {
                        problem = dark.why();
                        yield false;
                    }
                    case Nodes.Listed.All all ->
                        all.nodes().stream()
                                .anyMatch(
                                        other -> !other.name().equals(node) && other.ready() && !other.unschedulable());
                };
        };
    }

    @Nullable
    String problem() {
        return problem;
    }

    Cordon.Setting cordon() {
        return new Cordon(new Nodes(api)).set(node, errand.attempt(), errand.owner(), site.clock.instant());
    }

    /** Empties it. Null once it is empty; else what is in the way. */
    @Nullable
    String run(KubeObject machine, ClusterKey cluster, long until, CountDownLatch halt, Runnable drains)
            throws InterruptedException {
        KubeResponse rules = site.machines.drainRules(cluster.namespace());
        KubeResponse owner = site.machines.cluster(cluster);
        if (!(owner instanceof KubeResponse.SuccessResponse itsCluster)) {
            return "the cluster cannot be read: " + owner.problem();
        }
        // A management cluster may be older than the rules.
        List<KubeObject> all = rules instanceof KubeResponse.SuccessResponse successResponse ? successResponse.object().list("items") : List.of();
        if (!(rules instanceof KubeResponse.SuccessResponse) && !rules.isMissing()) {
            return "the rules for draining cannot be read: " + rules.problem();
        }
        return new Drain(api, site.settings.drain(), site.ticks)
                .run(
                        node,
                        DrainRule.forMachine(all, machine, itsCluster.object()),
                        Math.min(until, ownEnd(machine)),
                        halt,
                        drains);
    }

    /** A Machine may say how long its node may be drained; zero, or nothing, is no bound. */
    private long ownEnd(KubeObject machine) {
        Long seconds = machine.number("spec", "deletion", "nodeDrainTimeoutSeconds");
        Duration said = seconds == null
                ? GoDuration.read(machine.text("spec", "nodeDrainTimeout"))
                : Duration.ofSeconds(seconds);
        return said == null || !said.isPositive() || said.compareTo(LONGEST) > 0
                ? Long.MAX_VALUE
                : site.ticks.getAsLong() + said.toNanos();
    }
}
