package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.k8sd.SimK8sd;
import dev.flotilla.simulator.kubernetes.KubernetesApiHttpServer;
import dev.flotilla.simulator.kubernetes.SimApiServer;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import io.vertx.core.net.SocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a fleet from its specification, and finds its parts. */
final class EmbeddedFleetBuilder {
    /** The namespace of all Cluster API objects in a management cluster. */
    static final String NAMESPACE = "fleet";

    private static final double SECOND = 1000;
    private static final long MIN_HEARTBEAT_INTERVAL = 50;

    private final EmbeddedFleetSpec spec;
    private final KubernetesApiHttpServer api;
    private final InstantSource clock;
    private final VirtualClockScheduler scheduler;
    private final SeededRandom chance;
    private final SimNodeFactory nodeFactory;
    private final NodeObjectUpdater nodeObjectUpdater;
    private final NodeCallLedger ledger = new NodeCallLedger();
    private final Map<String, String> kubeconfigs = new LinkedHashMap<>();
    private final List<EmbeddedCluster> clusters = new ArrayList<>();
    private final List<EmbeddedNode> nodes = new ArrayList<>();
    private final Map<String, EmbeddedNode> byAddress = new HashMap<>();
    private final Map<MachineKey, EmbeddedNode> byMachine = new HashMap<>();

    EmbeddedFleetBuilder(
            EmbeddedFleetSpec plan, KubernetesApiHttpServer api, VirtualClockScheduler scheduler, InstantSource clock) {
        this.spec = plan;
        this.api = api;
        this.clock = clock;
        this.scheduler = scheduler;
        this.chance = new SeededRandom(plan.seed());
        this.nodeFactory = new SimNodeFactory(
                scheduler,
                new Transcript(scheduler, false),
                ledger,
                chance.split("nodes"),
                Long.MAX_VALUE,
                plan.speed());
        this.nodeObjectUpdater = new NodeObjectUpdater(clock);
    }

    void createFleet() {
        for (EmbeddedFleetSpec.EmbeddedSiteSpec site : spec.sites()) {
            SimApiServer management = api.add(site.name(), StableIdGenerator.stableToken(chance, "api/" + site.name()));
            kubeconfigs.put(site.name(), management.kubeconfig());
            for (String namespace : List.of("default", WorkloadClusterObjects.SYSTEM, NAMESPACE)) {
                management
                        .store()
                        .put(
                                BuiltInResources.NAMESPACES.named(namespace),
                                ImmutableJson.object("status", ImmutableJson.object("phase", "Active")));
            }
            site.clusters().forEach(cluster -> addCluster(new SiteId(site.name()), management, cluster));
        }
    }

    private void addCluster(SiteId site, SimApiServer management, WorkloadClusterSpec planned) {
        String name = site + "." + planned.name();
        EmbeddedCluster cluster = new EmbeddedCluster(
                new ClusterKey(site, NAMESPACE, planned.name()),
                management,
                api.add(name, StableIdGenerator.stableToken(chance, "api/" + name)));
        for (int i = 0; i < planned.controlPlanes(); i++) {
            addCluster(cluster, planned, planned.name() + "-cp-" + i, MachineRole.CONTROL_PLANE);
        }
        for (int i = 0; i < planned.workers(); i++) {
            addCluster(cluster, planned, planned.name() + "-w-" + i, MachineRole.WORKER);
        }
        clusters.add(cluster);
        WorkloadClusterObjects.createObjects(cluster, clock.instant());
        new ManagementClusterObjects(cluster, planned).createObjects(clock.instant());
        if (planned.hasNodeUpgrades()) {
            cluster.setHasNodeUpgrades();
            NodeUpgradeObjects.installInManagement(management.store());
            NodeUpgradeObjects.installInWorkload(cluster.workload().store());
            UpgradeJobRunner.install(cluster, scheduler, clock);
        }
    }

    private void addCluster(EmbeddedCluster cluster, WorkloadClusterSpec planned, String name, MachineRole role) {
        MachineKey machine = new MachineKey(cluster.key().site(), NAMESPACE, name);
        String token = StableIdGenerator.stableToken(chance, "token/" + machine);
        SimNode sim = nodeFactory.node(machine.toString(), planned.revision(), planned.faultProfileOf(name));
        EmbeddedNode node = new EmbeddedNode(
                machine,
                role,
                sim,
                new SimK8sd(sim, machine, token),
                StableIdGenerator.address(nodes.size() + 1),
                token,
                cluster);
        sim.watch(() -> nodeObjectUpdater.updateNodeObjects(node));
        cluster.add(node);
        nodes.add(node);
        byAddress.put(node.address(), node);
        byMachine.put(machine, node);
    }

    /** Forwards the ports of the proxy pods to the k8sd server. Requests to an unreachable node fail there. */
    void forwardTo(SocketAddress k8sd) {
        for (EmbeddedCluster cluster : clusters) {
            cluster.workload()
                    .setPortForwardResolver((pod, port) -> pod.name().startsWith(WorkloadClusterObjects.PROXY)
                                    && port == WorkloadClusterObjects.K8SD_PORT
                            ? k8sd
                            : null);
        }
    }

    /**
     * The time between two heartbeats in milliseconds: a second of the nodes' own time, but not less than a minimum.
     */
    long heartbeatIntervalMillis() {
        return Math.max(MIN_HEARTBEAT_INTERVAL, Math.round(SECOND / spec.speed()));
    }

    /** How many seconds of the nodes' own time pass in one real second. */
    double speed() {
        return spec.speed();
    }

    Map<String, String> kubeconfigs() {
        return Collections.unmodifiableMap(kubeconfigs);
    }

    NodeCallLedger ledger() {
        return ledger;
    }

    NodeObjectUpdater nodeObjectUpdater() {
        return nodeObjectUpdater;
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
