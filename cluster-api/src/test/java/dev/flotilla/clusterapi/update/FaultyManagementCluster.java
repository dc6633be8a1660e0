package dev.flotilla.clusterapi.update;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.flotilla.clusterapi.TrustingHttpClient;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An API server with Machines and their UpgradeTasks, of whose requests one goes wrong. */
final class FaultyManagementCluster implements AutoCloseable {
    static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines";
    static final String MACHINE = MACHINES + "/w-0";
    static final String TASKS = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/upgradetasks";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final CertificateAuthority AUTHORITY = CertificateAuthority.create("cluster-ca");
    private static final KeyAndCertificate OWN = AUTHORITY.issue("127.0.0.1");
    private static final int NONE = -1;

    /** What goes wrong with a request. */
    enum Fault {
        UNAUTHORIZED(401, false),
        FORBIDDEN(403, false),
        NOT_FOUND(404, false),
        CONFLICT(409, false),
        TOO_MANY_REQUESTS(429, false),
        ERROR(500, false),
        UNAVAILABLE(503, false),
        NO_JSON(200, true),
        CONNECTION_CLOSED(NONE, false),
        ANSWER_LOST(NONE, true);

        private final int status;
        private final boolean isExecuted;

        Fault(int status, boolean isExecuted) {
            this.status = status;
            this.isExecuted = isExecuted;
        }
    }

    private record Response(int status, String body) {}

    private final HttpsServer server =
            HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final Map<String, String> objects = new ConcurrentSkipListMap<>();
    private volatile @Nullable Map<String, String> cache;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Fault fault;
    private final AtomicInteger requestsBefore;

    /**
     * Starts it.
     *
     * @param requestsBefore how many requests are answered before the one that goes wrong
     */
    FaultyManagementCluster(Fault fault, int requestsBefore) throws Exception {
        server.setHttpsConfigurator(new HttpsConfigurator(TrustingHttpClient.serverContext(OWN)));
        this.fault = fault;
        this.requestsBefore = new AtomicInteger(requestsBefore);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        objects.put("/apis/cluster.x-k8s.io", "{\"versions\": [{\"version\": \"v1beta2\"}]}");
        objects.put("/apis/cluster.x-k8s.io/v1beta2", "{\"resources\": [{\"name\": \"machines\"}]}");
    }

    KubeApiClient open() throws IOException {
        Path kubeconfig = Files.createTempFile("flotilla-test-", ".kubeconfig");
        try {
            Files.writeString(kubeconfig, """
                    clusters: [{name: c, cluster: {server: 'https://127.0.0.1:%d', certificate-authority-data: %s}}]
                    users: [{name: u, user: {token: anybody}}]
                    contexts: [{name: x, context: {cluster: c, user: u}}]
                    current-context: x
                    """.formatted(
                    server.getAddress().getPort(),
                    Base64.getEncoder().encodeToString(AUTHORITY.certificate().getBytes(StandardCharsets.US_ASCII))));
            return KubeApiClient.open(kubeconfig, TIMEOUT, 4, System::nanoTime);
        } finally {
            Files.delete(kubeconfig);
        }
    }

    void put(String path, String object) {
        objects.put(path, object.replace('\'', '"'));
    }

    /** Answers lists from the cache with what there is now, whatever is written later. */
    void freezeCache() {
        cache = Map.copyOf(objects);
    }

    /** Whether the request that goes wrong has been made. */
    boolean isFaultOver() {
        return requestsBefore.get() < 0;
    }

    Map<String, String> tasks() {
        return objectsIn(objects, TASKS);
    }

    /** The requests that were made, such as {@code GET /api/v1}. */
    List<String> requests() {
        return requests;
    }

    private static Map<String, String> objectsIn(Map<String, String> all, String list) {
        return all.entrySet().stream()
                .filter(each -> each.getKey().startsWith(list + "/"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private void handle(HttpExchange exchange) throws IOException {
        requests.add(
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
        boolean isFaulty = requestsBefore.getAndDecrement() == 0;
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Response response = !isFaulty || fault.isExecuted
                ? execute(exchange.getRequestMethod(), exchange.getRequestURI(), body)
                : new Response(fault.status, status("it goes wrong"));
        if (isFaulty && fault.status == NONE) {
            exchange.close();
            return;
        }
        byte[] bytes = (isFaulty && fault == Fault.NO_JSON ? "<html>" : response.body).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isFaulty ? fault.status : response.status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String status(String message) {
        return "{\"kind\": \"Status\", \"message\": \"" + message + "\"}";
    }

    private Response execute(String method, URI uri, String body) {
        String path = uri.getPath();
        if (method.equals("POST")) {
            String name = Objects.requireNonNull(KubeObject.parse(body)).name();
            return objects.putIfAbsent(path + "/" + name, body) == null
                    ? new Response(201, body)
                    : new Response(409, status("already exists"));
        }
        if (path.equals(TASKS) || path.equals(MACHINES)) {
            Map<String, String> cached = cache;
            Map<String, String> read =
                    cached != null && String.valueOf(uri.getQuery()).contains("resourceVersion=0") ? cached : objects;
            return new Response(
                    200,
                    "{\"items\": [" + String.join(",", objectsIn(read, path).values()) + "]}");
        }
        String object = objects.get(path);
        return object == null ? new Response(404, status("not found")) : new Response(200, object);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
