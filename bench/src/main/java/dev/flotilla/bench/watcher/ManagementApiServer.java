package dev.flotilla.bench.watcher;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A real API server with Machines of realistic size. */
public final class ManagementApiServer implements AutoCloseable {
    private static final String NAMESPACE = "fleet";
    private static final String CAPI = "cluster.x-k8s.io/v1beta2";
    private static final int AT_ONCE = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final KubeCluster cluster;
    private final KubeApiClient administrator;
    private final AtomicReference<@Nullable String> failed = new AtomicReference<>();

    private ManagementApiServer(KubeCluster cluster, KubeApiClient administrator) {
        this.cluster = cluster;
        this.administrator = administrator;
    }

    static ManagementApiServer start() throws IOException {
        requireTestBed();
        KubeCluster cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        cluster.apply(
                "/api/v1/namespaces/" + NAMESPACE,
                "{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
        return new ManagementApiServer(cluster, administrator(cluster.kubeconfig()));
    }

    /** Fails if the programs of the test bed are not installed. */
    public static void requireTestBed() {
        if (KubeBinaries.find().isEmpty()) {
            throw new IllegalStateException(
                    "there is no Kubernetes test bed on this machine; build it once: testkit/kube/build");
        }
    }

    /** Client with the credentials of a kubeconfig. */
    public static KubeApiClient administrator(Path kubeconfig) throws IOException {
        return new KubeApiClient(KubeConnectionConfig.open(kubeconfig, TIMEOUT), AT_ONCE);
    }

    Path kubeconfig() {
        return cluster.kubeconfig();
    }

    /** Creates a cluster and workers whose nodes are ready. */
    void fill(int machines) {
        request(() -> administrator.createObject(path("clusters", ""), ClusterApiObjects.cluster(NAMESPACE)));
        try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE)) {
            for (int i = 0; i < machines; i++) {
                String name = "blue-w-" + i;
                executor.execute(() -> {
                    request(() -> administrator.createObject(
                            path("machines", ""), ClusterApiObjects.machine(NAMESPACE, name)));
                    request(() -> administrator.mergePatch(
                            path("machines", name + "/status"), ClusterApiObjects.status(name)));
                });
            }
        }
        String problem = failed.get();
        if (problem != null) {
            throw new IllegalStateException("the API server rejected an object: " + problem);
        }
    }

    private interface Request {
        KubeResponse send();
    }

    private void request(Request request) {
        if (failed.get() != null) {
            return;
        }
        KubeResponse reply = request.send();
        if (!(reply instanceof KubeResponse.SuccessResponse)) {
            failed.compareAndSet(null, reply.problem());
        }
    }

    private static String path(String plural, String name) {
        String all = KubeApiPath.groupObject(CAPI, NAMESPACE, plural);
        return name.isEmpty() ? all : all + "/" + name;
    }

    /** Average size of a full page of Machines, in bytes of JSON. */
    long measurePageSize() {
        KubeResponse reply = administrator.listPage(path("machines", ""), "", "");
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            throw new IllegalStateException("no page of Machines: " + reply.problem());
        }
        return KubeObject.toJsonText(successResponse.object().json()).getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public void close() {
        administrator.close();
        cluster.close();
    }
}
