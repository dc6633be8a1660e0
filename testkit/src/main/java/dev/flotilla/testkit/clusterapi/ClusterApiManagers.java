package dev.flotilla.testkit.clusterapi;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeManifest;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.MachineWideLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The managers of Cluster API in front of an API server of the test bed, with their CustomResourceDefinitions and webhooks. Their logs
 * are in the folder of the {@link KubeCluster}. The infrastructure manager listens on port 19000 and on ports from 20000 on, and cannot
 * be told otherwise: a test waits while another one of the machine runs them.
 */
public final class ClusterApiManagers implements AutoCloseable {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    private static final int OK = 200;

    private final KubeCluster cluster;
    private final CertificateAuthority authority = CertificateAuthority.create("cluster-api-ca");
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path certificates;
    private final Map<ClusterApiProvider, Integer> webhookPorts = new EnumMap<>(ClusterApiProvider.class);
    private final Map<ClusterApiProvider, ChildProcess> processes = new EnumMap<>(ClusterApiProvider.class);
    private final MachineWideLock ports = MachineWideLock.acquire("cluster-api-managers");
    private ClusterApiBinaries binaries;

    private ClusterApiManagers(KubeCluster cluster, ClusterApiRelease release) {
        this.cluster = cluster;
        this.binaries = binariesOf(release);
        this.certificates = cluster.folder().resolve("cluster-api-webhooks");
        for (ClusterApiProvider manager : ClusterApiProvider.values()) {
            webhookPorts.put(manager, FreePorts.next());
        }
    }

    private static ClusterApiBinaries binariesOf(ClusterApiRelease release) {
        return ClusterApiBinaries.find(release, System.getenv())
                .orElseThrow(() -> new IllegalStateException(ClusterApiBinaries.MISSING));
    }

    /** Installs the newest release of Cluster API in a cluster that has nothing of it, and starts its managers. */
    public static ClusterApiManagers start(KubeCluster cluster) {
        return start(cluster, ClusterApiRelease.NEWEST);
    }

    /** Installs a release of Cluster API in a cluster that has nothing of it, and starts its managers. */
    public static ClusterApiManagers start(KubeCluster cluster, ClusterApiRelease release) {
        ClusterApiManagers managers = new ClusterApiManagers(cluster, release);
        try {
            managers.writeCertificates();
            List<ClusterApiProvider> all = List.of(ClusterApiProvider.values());
            managers.installDefinitions(all);
            all.forEach(managers::startProcess);
            managers.installWebhooks(all);
            return managers;
        } catch (RuntimeException e) {
            managers.close();
            throw e;
        }
    }

    private void writeCertificates() {
        try {
            Files.createDirectories(certificates);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + certificates, e);
        }
        // The managers look for tls.crt and tls.key.
        authority.issue("tls").writeSeparateFiles(certificates);
    }

    private WebhookAddress address(ClusterApiProvider manager) {
        return new WebhookAddress(webhookPorts.getOrDefault(manager, 0), authority.certificate());
    }

    private void installDefinitions(List<ClusterApiProvider> managers) {
        List<KubeManifest> definitions = managers.stream()
                .map(manager -> KubeManifest.parseAll(address(manager).applyTo(binaries.definitions(manager))))
                .flatMap(List::stream)
                .toList();
        cluster.apply(definitions);
        definitions.forEach(this::awaitServed);
    }

    private void installWebhooks(List<ClusterApiProvider> managers) {
        for (ClusterApiProvider manager : managers) {
            cluster.apply(
                    KubeManifest.parseAll(address(manager).applyTo(binaries.webhooks(manager), manager.program())));
        }
    }

    private void awaitServed(KubeManifest definition) {
        String plural = definition.name().substring(0, definition.name().indexOf('.'));
        cluster.awaitServed("/apis/" + definition.name().substring(plural.length() + 1) + "/v1beta2/" + plural);
    }

    private void startProcess(ClusterApiProvider manager) {
        String health = "127.0.0.1:" + FreePorts.next();
        String gates = Stream.concat(Stream.of("MachinePool=false"), manager.featureGates().stream())
                .collect(Collectors.joining(","));
        List<String> command = List.of(
                binaries.program(manager).toString(),
                "--kubeconfig=" + cluster.kubeconfig(),
                "--webhook-cert-dir=" + certificates,
                "--webhook-port=" + webhookPorts.get(manager),
                "--health-addr=" + health,
                "--insecure-diagnostics=true",
                "--diagnostics-address=0",
                "--kube-api-qps=100",
                "--kube-api-burst=200",
                "--v=4",
                "--feature-gates=" + gates);
        // The address at which the infrastructure manager serves the API servers of its clusters.
        Map<String, String> environment = Map.of("POD_IP", "127.0.0.1", "KUBECONFIG", "");
        processes.put(
                manager,
                ChildProcess.startProgram(manager.program(), cluster.folder(), command, environment)
                        .awaitReady(() -> answersOk(URI.create("http://" + health + "/readyz"))));
    }

    private boolean answersOk(URI address) {
        try {
            return http.send(
                                    HttpRequest.newBuilder(address)
                                            .timeout(REQUEST_TIMEOUT)
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == OK;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + address, e);
        }
    }

    /** Kills a manager like {@code kill -9}, and starts it again. The infrastructure manager loses its machines. */
    public void restart(ClusterApiProvider manager) {
        ChildProcess process = processes.remove(manager);
        if (process != null) {
            process.kill();
        }
        startProcess(manager);
    }

    /** Upgrades all managers to a release, except the infrastructure manager, which would lose its machines. */
    public void upgrade(ClusterApiRelease release) {
        List<ClusterApiProvider> upgraded = Stream.of(ClusterApiProvider.values())
                .filter(manager -> manager != ClusterApiProvider.INFRASTRUCTURE)
                .toList();
        binaries = binariesOf(release);
        installDefinitions(upgraded);
        upgraded.forEach(this::restart);
        installWebhooks(upgraded);
    }

    @Override
    public void close() {
        processes.values().forEach(ChildProcess::kill);
        processes.clear();
        http.close();
        ports.close();
    }
}
