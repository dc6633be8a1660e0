package dev.flotilla.bench.worker;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.PairedRuns;
import dev.flotilla.bench.harness.Statistics;
import dev.flotilla.nodeworker.k8sd.DirectK8sdConnection;
import dev.flotilla.nodeworker.k8sd.K8sdRequest;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * C1: CPU time of a request to a node with the worker's client, divided by that of a bare HTTP client, over persistent
 * connections. The nodes answer in the same process and cost both the same.
 */
final class CallOverheadBenchmark implements Benchmark {
    private static final int PAIRS = 5;
    private static final int CONNECTIONS = 16;
    private static final String LOOPBACK = "127.0.0.1";
    private static final byte[] BODY = "{\"changeId\":\"1\"}".getBytes(StandardCharsets.US_ASCII);
    private static final double MICRO = 1e3;

    private final Duration leg;

    CallOverheadBenchmark(boolean tiny) {
        this.leg = tiny ? Duration.ofMillis(300) : Duration.ofSeconds(5);
    }

    @Override
    public List<String> ids() {
        return List.of("C1");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException {
        CertificateAuthority authority = CertificateAuthority.create("nodes");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        Vertx vertx = Vertx.vertx();
        try {
            EmbeddedFleet fleet = EmbeddedFleet.start(
                            vertx,
                            EmbeddedFleetSpec.evenSites(1, 1, 1, CONNECTIONS - 1, 1, 1),
                            k8sd.key(),
                            k8sd.certificate())
                    .await();
            SocketAddress server = SocketAddress.inetSocketAddress(fleet.k8sdPort(), LOOPBACK);
            CertificatePin certificatePin = pin(k8sd.certificate());
            Function<EmbeddedNode, NodeRequest> ours = node -> {
                DirectK8sdConnection connection = new DirectK8sdConnection(
                        vertx,
                        new DirectK8sdConnection.ConnectionTarget(
                                node.address(), fleet.k8sdPort(), server, certificatePin));
                return () -> connection.send(K8sdRequest.status("1"), node.token());
            };
            HttpClientAgent client = bareClient(vertx);
            Function<EmbeddedNode, NodeRequest> theirs = node -> {
                RequestOptions to = new RequestOptions()
                        .setMethod(HttpMethod.POST)
                        .setServer(server)
                        .setHost(node.address())
                        .setPort(fleet.k8sdPort())
                        .setURI("/1.0/snap/refresh-status");
                return () -> client.request(to)
                        .compose(request ->
                                request.putHeader("node-token", node.token()).send(Buffer.buffer(BODY)))
                        .compose(HttpClientResponse::body);
            };
            List<NodeRequest> worker = fleet.nodes().stream().map(ours).toList();
            List<NodeRequest> bare = fleet.nodes().stream().map(theirs).toList();
            add(measurements, PairedRuns.runPairs(PAIRS, () -> run(worker), () -> run(bare)));
        } catch (CertificateException e) {
            throw new IllegalStateException("the certificate of the nodes cannot be read", e);
        } finally {
            vertx.close().await();
        }
    }

    /** Sends one request to one node. */
    private interface NodeRequest {
        Future<?> send();
    }

    private static CertificatePin pin(String certificate) throws CertificateException {
        return CertificatePin.pinOf((X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII))));
    }

    private static HttpClientAgent bareClient(Vertx vertx) {
        return vertx.createHttpClient(
                new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false),
                new PoolOptions().setHttp1MaxSize(1));
    }

    /**
     * Uses all connections at once, each sending its next request when it is answered. Returns CPU nanoseconds for a
     * request.
     */
    private double run(List<NodeRequest> askers) throws InterruptedException {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        LongAdder calls = new LongAdder();
        long end = System.nanoTime() + leg.toNanos();
        long before = system.getProcessCpuTime();
        List<Future<Void>> done = askers.stream()
                .map(asker -> Future.<Void>future(promise -> sendNext(asker, end, calls, promise)))
                .toList();
        try {
            Future.all(done).toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a node did not answer", e);
        }
        return (double) (system.getProcessCpuTime() - before) / calls.sum();
    }

    private static void sendNext(NodeRequest asker, long end, LongAdder calls, Promise<Void> done) {
        asker.send().onComplete(answered -> {
            calls.increment();
            if (answered.failed()) {
                done.fail(answered.cause());
            } else if (System.nanoTime() < end) {
                sendNext(asker, end, calls, done);
            } else {
                done.complete();
            }
        });
    }

    private static void add(Measurements measurements, PairedRuns pairedRuns) {
        double[] ratios = pairedRuns.ratios();
        measurements.add(new Measurement(
                "C1",
                "processor time of a request to a node / by a plain HTTP client",
                String.format(
                        Locale.ROOT,
                        "direct HTTPS, %d open connections; %.0f us and %.0f us, both with the node's part",
                        CONNECTIONS,
                        pairedRuns.flotilla() / MICRO,
                        pairedRuns.reference() / MICRO),
                Statistics.median(ratios),
                "ratio",
                BetterDirection.LOWER,
                null,
                null,
                false,
                Statistics.spread(ratios)));
        String unsteady = pairedRuns.describeVariation();
        if (unsteady != null) {
            measurements.addInvalid("C1", unsteady);
        }
    }
}
