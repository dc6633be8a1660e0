package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.k8sd.K8sd;
import dev.flotilla.simulator.kubernetes.ApiCluster;
import dev.flotilla.simulator.kubernetes.KubernetesApi;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.Story;
import io.vertx.core.net.SocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a fleet as planned, and finds its parts. */
final class Layout {
    /** The namespace of everything that Cluster API has in a management cluster. */
    static final String NAMESPACE = "fleet";

    private static final double SECOND = 1000;
    private static final long SHORTEST_BEAT = 50;

    private final FleetPlan plan;
    private final KubernetesApi api;
    private final InstantSource clock;
    private final Chance chance;
    private final NodeMaker maker;
    private final ObjectKeeper keeper;
    private final Ledger ledger = new Ledger();
    private final Map<String, String> kubeconfigs = new LinkedHashMap<>();
    private final List<EmbeddedCluster> clusters = new ArrayList<>();
    private final List<EmbeddedNode> nodes = new ArrayList<>();
    private final Map<String, EmbeddedNode> byAddress = new HashMap<>();
    private final Map<MachineKey, EmbeddedNode> byMachine = new HashMap<>();

    Layout(FleetPlan plan, KubernetesApi api, Scheduler scheduler, InstantSource clock) {
        this.plan = plan;
        this.api = api;
        this.clock = clock;
        this.chance = new Chance(plan.seed());
        this.maker = new NodeMaker(
                scheduler, new Story(scheduler, false), ledger, chance.split("nodes"), Long.MAX_VALUE, plan.speed());
        this.keeper = new ObjectKeeper(clock);
    }

    void layOut() {
        for (FleetPlan.SitePlan site : plan.sites()) {
            ApiCluster management = api.add(site.name(), Ids.token(chance, "api/" + site.name()));
            kubeconfigs.put(site.name(), management.kubeconfig());
            for (String namespace : List.of("default", WorkloadObjects.SYSTEM, NAMESPACE)) {
                management
                        .store()
                        .put(
                                Resources.NAMESPACES.named(namespace),
                                Json.object("status", Json.object("phase", "Active")));
            }
            site.clusters().forEach(cluster -> add(new SiteId(site.name()), management, cluster));
        }
    }

    private void add(SiteId site, ApiCluster management, ClusterPlan planned) {
        String name = site + "." + planned.name();
        EmbeddedCluster cluster = new EmbeddedCluster(
                new ClusterKey(site, NAMESPACE, planned.name()),
                management,
                api.add(name, Ids.token(chance, "api/" + name)));
        for (int i = 0; i < planned.controlPlanes(); i++) {
            add(cluster, planned, planned.name() + "-cp-" + i, MachineRole.CONTROL_PLANE);
        }
        for (int i = 0; i < planned.workers(); i++) {
            add(cluster, planned, planned.name() + "-w-" + i, MachineRole.WORKER);
        }
        clusters.add(cluster);
        WorkloadObjects.layOut(cluster, clock.instant());
        new ManagementObjects(cluster, planned).layOut(clock.instant());
    }

    private void add(EmbeddedCluster cluster, ClusterPlan planned, String name, MachineRole role) {
        MachineKey machine = new MachineKey(cluster.key().site(), NAMESPACE, name);
        String token = Ids.token(chance, "token/" + machine);
        SimNode sim = maker.node(machine.toString(), planned.revision(), planned.temperOf(name));
        EmbeddedNode node = new EmbeddedNode(
                machine, role, sim, new K8sd(sim, machine, token), Ids.address(nodes.size() + 1), token, cluster);
        sim.watch(() -> keeper.changed(node));
        cluster.add(node);
        nodes.add(node);
        byAddress.put(node.address(), node);
        byMachine.put(machine, node);
    }

    /** Lets the proxy pods lead to where all k8sd are. One that is away is found out by asking. */
    void forwardTo(SocketAddress k8sd) {
        for (EmbeddedCluster cluster : clusters) {
            cluster.workload()
                    .forward((pod, port) ->
                            pod.name().startsWith(WorkloadObjects.PROXY) && port == WorkloadObjects.K8SD_PORT
                                    ? k8sd
                                    : null);
        }
    }

    /** How long is between two heartbeats, in milliseconds: a second of the nodes' own time, within reason. */
    long beat() {
        return Math.max(SHORTEST_BEAT, Math.round(SECOND / plan.speed()));
    }

    /** Seconds of the nodes' own time in a real one. */
    double speed() {
        return plan.speed();
    }

    Map<String, String> kubeconfigs() {
        return Collections.unmodifiableMap(kubeconfigs);
    }

    Ledger ledger() {
        return ledger;
    }

    ObjectKeeper keeper() {
        return keeper;
    }

    List<EmbeddedCluster> clusters() {
        return Collections.unmodifiableList(clusters);
    }

    List<EmbeddedNode> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    @Nullable
    EmbeddedNode byAddress(String address) {
        return byAddress.get(address);
    }

    @Nullable
    EmbeddedNode byMachine(MachineKey machine) {
        return byMachine.get(machine);
    }
}
