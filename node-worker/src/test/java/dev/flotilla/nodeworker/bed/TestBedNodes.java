package dev.flotilla.nodeworker.bed;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.k8sd.SimK8sd;
import dev.flotilla.simulator.k8sd.SimK8sdServer;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Simulated nodes with their k8sd behind real TLS, on the wall clock. What happens to them is written to the Nodes of a real API
 * server, as their kubelets would write it; while that is away it waits.
 */
public final class TestBedNodes implements AutoCloseable {
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final int SPEED = 30;
    private static final long OFTEN = 100;
    private static final long LEASES = 3_000;
    private static final String LEASE_PATH = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/";

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final VirtualClockScheduler scheduler = new VirtualClockScheduler(System.currentTimeMillis());
    private final NodeCallLedger ledger = new NodeCallLedger();
    private final Map<String, TestBedNode> byAddress = new ConcurrentHashMap<>();
    private final Map<String, Truth> truths = new ConcurrentHashMap<>();
    private final Map<String, Truth> unwritten = new ConcurrentHashMap<>();
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    private final List<ScheduledFuture<?>> chores = new CopyOnWriteArrayList<>();
    private final SimK8sdServer server;

    /** What is true of a node. */
    private record Truth(String revision, String version, boolean ready) {}

    TestBedNodes() throws Exception {
        KeyAndCertificate itself = CertificateAuthority.create("k8sd").issue("k8sd");
        server = on(() -> SimK8sdServer.start(vertx, itself.key(), itself.certificate(), host -> {
                    TestBedNode node = byAddress.get(host);
                    return node == null ? null : node.k8sd();
                }))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        loop.runOnContext(go -> vertx.setPeriodic(10, tick -> advance()));
    }

    private void advance() {
        boolean more = true;
        while (more) {
            more = scheduler.step(System.currentTimeMillis());
        }
    }

    public int port() {
        return server.port();
    }

    TestBedNode add(MachineKey machine, MachineRole role, String address) throws Exception {
        String name = machine.name();
        SimNode node = on(() -> new SimNode(
                name,
                SnapReleases.OLDEST,
                NodeFaultProfile.withoutFaults(60_000, 0),
                scheduler,
                new Transcript(scheduler, false),
                ledger,
                new SeededRandom(1),
                Long.MAX_VALUE,
                SPEED));
        TestBedNode added =
                new TestBedNode(machine, role, address, node, new SimK8sd(node, machine, SiteTestBed.TOKEN));
        byAddress.put(address, added);
        on(() -> {
            node.watch(() -> {
                truths.put(name, truth(node));
                unwritten.put(name, truth(node));
            });
            return true;
        });
        return added;
    }

    private static Truth truth(SimNode node) {
        return new Truth(
                Integer.toString(node.revisionInNodeObject()),
                SnapReleases.version(node.revisionInNodeObject()),
                node.isReady());
    }

    /** Keeps the Nodes of an API server true from now on. */
    void writeTo(KubeApiClient api) {
        chores.add(writer.scheduleWithFixedDelay(() -> write(api), 0, OFTEN, TimeUnit.MILLISECONDS));
        chores.add(writer.scheduleWithFixedDelay(() -> renew(api), 0, LEASES, TimeUnit.MILLISECONDS));
    }

    private void write(KubeApiClient api) {
        unwritten.forEach((name, truth) -> {
            String path = "/api/v1/nodes/" + name;
            boolean written = api.mergePatch(path, annotated(truth)) instanceof KubeResponse.SuccessResponse
                    && api.mergePatch(path + "/status", status(truth)) instanceof KubeResponse.SuccessResponse;
            if (written) {
                unwritten.remove(name, truth);
            }
        });
    }

    private void renew(KubeApiClient api) {
        // Of a Node that is not Ready kwok writes what it knew of it before, maybe over what has been written since.
        truths.forEach(unwritten::putIfAbsent);
        byAddress.values().forEach(node -> {
            JsonObjectReader spec = ImmutableJson.object(
                    "spec",
                    ImmutableJson.object(
                            "holderIdentity", node.name(),
                            "leaseDurationSeconds", 40,
                            "renewTime", MICROS.format(Instant.now())));
            if (api.mergePatch(LEASE_PATH + node.name(), spec).isMissing()) {
                api.createObject(
                        LEASE_PATH.substring(0, LEASE_PATH.length() - 1),
                        ImmutableJson.with(spec, ImmutableJson.object("name", node.name()), "metadata"));
            }
        });
    }

    static JsonObjectReader annotated(String revision, String version) {
        return ImmutableJson.object(
                "metadata",
                ImmutableJson.object(
                        "annotations",
                        ImmutableJson.object(
                                "k8sd.io/version",
                                "{\"revision\":\"" + revision + "\",\"kubernetesVersion\":\"" + version.substring(1)
                                        + "\"}")));
    }

    private static JsonObjectReader annotated(Truth truth) {
        return annotated(truth.revision(), truth.version());
    }

    private static JsonObjectReader status(Truth truth) {
        String now = Instant.ofEpochSecond(Instant.now().getEpochSecond()).toString();
        List<JsonValue> conditions = List.of(ImmutableJson.object(
                "type",
                "Ready",
                "status",
                truth.ready() ? "True" : "False",
                "reason",
                truth.ready() ? "KubeletReady" : "KubeletNotReady",
                "message",
                "",
                "lastHeartbeatTime",
                now,
                "lastTransitionTime",
                now));
        return ImmutableJson.object(
                "status",
                ImmutableJson.object(
                        "conditions", conditions, "nodeInfo", ImmutableJson.object("kubeletVersion", truth.version())));
    }

    /** Calls that a node has received. */
    public int calls(TestBedNode node) {
        return get(() -> ledger.calls(node.machine()).size());
    }

    /** The revision that runs on a node. */
    public int revision(TestBedNode node) {
        return get(() -> node.node().revision());
    }

    private <T> T get(Callable<T> question) {
        try {
            return on(question);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** On the loop that owns the nodes. */
    public <T> T on(Callable<T> action) throws Exception {
        return Future.<T>future(promise -> loop.runOnContext(go -> {
                    try {
                        promise.complete(action.call());
                    } catch (Exception e) {
                        promise.fail(e);
                    }
                }))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        writer.shutdownNow();
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        // A task that has failed is not repeated, and its failure shows only here.
        for (ScheduledFuture<?> chore : chores) {
            if (chore.state() == java.util.concurrent.Future.State.FAILED) {
                throw new AssertionError("the Nodes were not kept true", chore.exceptionNow());
            }
        }
    }
}
