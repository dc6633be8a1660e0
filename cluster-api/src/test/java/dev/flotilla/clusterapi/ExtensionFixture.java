package dev.flotilla.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.config.ClusterApiExtensionConfig;
import dev.flotilla.clusterapi.config.ManagementClusterConfig;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeManifest;
import dev.flotilla.testkit.kube.KubeOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** An extension with a real API server and exactly the shipped role. The test that uses it plays Cluster API and the watcher. */
final class ExtensionFixture implements AutoCloseable {
    static final String HOOKS = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/";
    static final String CAPI = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/";
    static final String TASKS = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/upgradetasks";

    private static final String USER = "system:serviceaccount:flotilla:flotilla-cluster-api-extension";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final KubeCluster cluster;
    final KubeApiClient admin;
    private final Path folder;
    private final CertificateAuthority authority = CertificateAuthority.create("extension-ca");
    private final HttpClient caller;
    private ClusterApiExtensionProcess extension;

    ExtensionFixture(Path folder) throws Exception {
        this.folder = folder;
        cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi().withFlotilla();
        for (String namespace : List.of("fleet", "flotilla")) {
            cluster.apply(
                    "/api/v1/namespaces/" + namespace,
                    "{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
        }
        cluster.apply(KubeManifest.parseAll(Files.readString(Path.of("../deploy/cluster-api/rbac.yaml"))).stream()
                .map(each -> each.text().contains("kind: ClusterRole")
                                && !each.text().contains("kind: RoleBinding")
                        ? each
                        : each.inNamespace("flotilla"))
                .toList());
        admin = KubeApiClient.open(cluster.kubeconfig(), Duration.ofSeconds(10), 2, System::nanoTime);
        caller = TrustingHttpClient.open(authority);
        extension = startExtension();
    }

    ClusterApiExtensionProcess extension() {
        return extension;
    }

    ClusterApiExtensionProcess startExtension() throws Exception {
        KeyAndCertificate own = authority.issue("127.0.0.1");
        return ClusterApiExtensionProcess.start(
                new ClusterApiExtensionConfig(
                        new HttpServerConfig(
                                new HostPort("127.0.0.1", 0),
                                new ServerTlsConfig(
                                        Files.writeString(folder.resolve("tls.crt"), own.certificate()),
                                        Files.writeString(folder.resolve("tls.key"), own.key()),
                                        null),
                                null),
                        LogConfig.DEFAULT,
                        new ManagementClusterConfig(
                                cluster.kubeconfig(USER), Duration.ofSeconds(5), "flotilla", Duration.ofDays(1)),
                        null,
                        null),
                CoverageTable.DEFAULT,
                List.of());
    }

    void restartExtension() throws Exception {
        extension.close();
        extension = startExtension();
    }

    /** Creates a Machine of MachineDeployment blue-workers that Cluster API updates in place. */
    void createMachine(String name) {
        cluster.apply(CAPI + "machines/" + name, """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: %1$s, namespace: fleet,
               labels: {cluster.x-k8s.io/cluster-name: blue, cluster.x-k8s.io/deployment-name: blue-workers},
               annotations: {in-place-updates.internal.cluster.x-k8s.io/update-in-progress: ''}},
             spec: {clusterName: blue, version: v1.36.3,
               bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: %1$s}},
               infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: %1$s}}}""".formatted(name));
    }

    /** Calls a hook as Cluster API does: without a content type, with a timeout in the query. */
    KubeObject call(String path, String body) throws Exception {
        return call(extension, path, body);
    }

    /** Calls a hook of one replica. */
    KubeObject call(ClusterApiExtensionProcess replica, String path, String body) throws Exception {
        HttpResponse<String> response = caller.send(
                HttpRequest.newBuilder(URI.create(replica.url() + path + "?timeout=10s"))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Objects.requireNonNull(KubeObject.parse(response.body()));
    }

    KubeObject read(String path) {
        return ((KubeResponse.SuccessResponse) Objects.requireNonNull(admin.get(path))).object();
    }

    List<KubeObject> tasksOf(String machine) {
        return read(TASKS).list("items").stream()
                .filter(task -> task.texts("spec", "machines").contains(machine))
                .toList();
    }

    void writeTaskStatus(String name, String status) {
        cluster.merge(TASKS + "/" + name + "/status", "{\"status\":" + status.replace('\'', '"') + "}");
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long for " + what);
            }
        }
    }

    @Override
    public void close() {
        extension.close();
        caller.close();
        admin.close();
        cluster.close();
    }
}
