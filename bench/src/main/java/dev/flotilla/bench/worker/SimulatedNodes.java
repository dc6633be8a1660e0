package dev.flotilla.bench.worker;

import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.simulator.embedded.EmbeddedCluster;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.process.ChildProcess;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Simulated nodes and API servers of one site in this process, all with TLS, with request counts. */
final class SimulatedNodes implements AutoCloseable {
    /** Periodic requests that do not depend on upgrades: site mode and API discovery. */
    private static final List<String> PERIODIC_READS = List.of(
            "admissionregistration",
            "mutatingadmissionpolicies",
            "mutatingwebhookconfigurations",
            "/apis/cluster.x-k8s.io");

    private final Vertx vertx;
    private final EmbeddedFleet fleet;
    private final String site;
    private final Path kubeconfig;

    private SimulatedNodes(Vertx vertx, EmbeddedFleet fleet, String site, Path kubeconfig) {
        this.vertx = vertx;
        this.fleet = fleet;
        this.site = site;
        this.kubeconfig = kubeconfig;
    }

    static SimulatedNodes start(KafkaTestBed kafkaTestBed, EmbeddedFleetSpec spec) throws IOException {
        CertificateAuthority authority = CertificateAuthority.create("nodes");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        Vertx vertx = Vertx.vertx();
        EmbeddedFleet fleet = EmbeddedFleet.start(vertx, spec, k8sd.key(), k8sd.certificate(), authority.certificate())
                .await();
        fleet.runOnEventLoop(() -> {
                    fleet.pinAllCertificates();
                    return true;
                })
                .await();
        Map.Entry<String, String> access =
                fleet.kubeconfigs().entrySet().iterator().next();
        Path kubeconfig = kafkaTestBed.folder().resolve(access.getKey() + ".kubeconfig");
        Files.writeString(kubeconfig, access.getValue());
        return new SimulatedNodes(vertx, fleet, access.getKey(), kubeconfig);
    }

    EmbeddedFleet fleet() {
        return fleet;
    }

    /** Starts a worker of the site and waits until it is ready. */
    ChildProcess worker(
            KafkaTestBed kafkaTestBed, long askEveryMillis, String heap, K8sdTransportSetting k8sdTransportSetting)
            throws InterruptedException {
        ChildProcess worker = kafkaTestBed.launch(
                "worker",
                List.of("-Xmx" + heap, "-XX:-UsePerfData"),
                MeasuredWorkerMain.class.getName(),
                "--bootstrap",
                kafkaTestBed.bootstrap(),
                "--instance",
                "worker",
                "--site",
                site,
                "--kubeconfig",
                kubeconfig.toString(),
                "--via",
                "127.0.0.1:" + fleet.k8sdPort(),
                "--ask-every",
                Long.toString(askEveryMillis),
                "--transport",
                k8sdTransportSetting.label());
        worker.awaitLine("ready at");
        return worker;
    }

    /** Starts the site's watcher and waits until it is ready. */
    ChildProcess watcher(KafkaTestBed kafkaTestBed, String heap) throws InterruptedException {
        ChildProcess watcher = kafkaTestBed.launch(
                "watcher",
                List.of("-Xmx" + heap, "-XX:-UsePerfData"),
                "dev.flotilla.managementwatcher.Main",
                "--bootstrap",
                kafkaTestBed.bootstrap(),
                "--instance",
                "watcher",
                "--site",
                site,
                "--kubeconfig",
                kubeconfig.toString());
        watcher.awaitLine("ready at");
        return watcher;
    }

    /**
     * Number of requests so far.
     *
     * @param management reads of single objects in the management cluster, by kind
     * @param workload reads of single objects in all workload clusters, by kind
     * @param handshakes TLS handshakes with reachable nodes
     * @param connections connections, also to unreachable nodes, which a real node would not have accepted
     * @param requests requests of any kind
     * @param calls refresh calls
     */
    record NodeRequestCounts(
            SortedMap<String, Long> management,
            SortedMap<String, Long> workload,
            long handshakes,
            long connections,
            long requests,
            long calls) {
        NodeRequestCounts since(NodeRequestCounts before) {
            return new NodeRequestCounts(
                    minus(management, before.management),
                    minus(workload, before.workload),
                    handshakes - before.handshakes,
                    connections - before.connections,
                    requests - before.requests,
                    calls - before.calls);
        }

        private static SortedMap<String, Long> minus(SortedMap<String, Long> now, SortedMap<String, Long> before) {
            SortedMap<String, Long> more = new TreeMap<>();
            now.forEach((kind, count) -> {
                long since = count - before.getOrDefault(kind, 0L);
                if (since > 0) {
                    more.put(kind, since);
                }
            });
            return more;
        }
    }

    NodeRequestCounts requestCounts() {
        List<EmbeddedCluster> clusters = new ArrayList<>(fleet.clusters());
        SortedMap<String, Long> workload = new TreeMap<>();
        clusters.forEach(
                cluster -> add(workload, cluster.workload().requestCounter().requests()));
        SortedMap<String, Long> management = new TreeMap<>();
        add(management, clusters.getFirst().management().requestCounter().requests());
        long calls = fleet.runOnEventLoop(() -> fleet.ledger().calls().size()).await();
        return new NodeRequestCounts(
                management, workload, fleet.k8sdHandshakes(), fleet.k8sdConnections(), fleet.k8sdRequests(), calls);
    }

    private static void add(SortedMap<String, Long> sums, Map<String, Long> requests) {
        requests.forEach((request, count) -> {
            if (request.startsWith("get ") && PERIODIC_READS.stream().noneMatch(request::contains)) {
                sums.merge(request.substring("get ".length()), count, Long::sum);
            }
        });
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
