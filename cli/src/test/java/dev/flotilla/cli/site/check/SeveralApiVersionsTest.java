package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.clusterapi.registration.ExtensionConflictFinder;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.UserKubeconfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks of a management cluster with Cluster API's old and new versions, in which a provider has only the old one. */
class SeveralApiVersionsTest {
    private static final String RUNTIME = "/apis/runtime.cluster.x-k8s.io";
    private static final String BOOTSTRAP = "/apis/bootstrap.cluster.x-k8s.io";
    private static final Map<String, String> ANSWERS = Map.of(
            RUNTIME,
            "{\"versions\": [{\"version\": \"v1beta2\"}, {\"version\": \"v1alpha1\"}]}",
            RUNTIME + "/v1beta2",
            "{\"resources\": [{\"name\": \"extensionconfigs\"}]}",
            RUNTIME + "/v1beta2/extensionconfigs",
            "{\"items\": [{\"metadata\": {\"name\": \"flotilla\", \"labels\": {\"app.kubernetes.io/part-of\": \"flotilla\"}}},"
                    + " {\"metadata\": {\"name\": \"other\"}, \"status\": {\"handlers\": [{\"requestHook\": {\"hook\":"
                    + " \"UpdateMachine\"}}]}}]}",
            "/api/v1/namespaces",
            "{\"items\": [{\"metadata\": {\"name\": \"fleet\"}}]}",
            BOOTSTRAP,
            "{\"versions\": [{\"version\": \"v1beta2\"}, {\"version\": \"v1beta1\"}]}",
            BOOTSTRAP + "/v1beta2",
            "{\"resources\": [{\"name\": \"kubeadmconfigs\"}]}",
            BOOTSTRAP + "/v1beta1",
            "{\"resources\": [{\"name\": \"kubeadmconfigs\"}, {\"name\": \"ck8sconfigs\"}]}",
            BOOTSTRAP + "/v1beta1/ck8sconfigs",
            "{\"items\": [{\"metadata\": {\"name\": \"n1\", \"namespace\": \"fleet\"}, \"spec\": {}}]}");

    @TempDir
    private Path folder;

    private HttpServer server;
    private KubeApiClient api;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            String answer = ANSWERS.get(exchange.getRequestURI().getPath());
            byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Path kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: east
                clusters: [{name: east, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: east, context: {cluster: east, user: me}}]
                users: [{name: me, user: {token: t}}]
                """.formatted(server.getAddress().getPort()));
        api = UserKubeconfig.open(kubeconfig, Duration.ofSeconds(5), 1);
    }

    @AfterEach
    void stop() {
        api.close();
        server.stop(0);
    }

    @Test
    void findsAnExtensionThatIsRegisteredInTheNewVersion() {
        CheckResult result = ExtensionConflictCheck.checkExtensions(new ExtensionConflictFinder(api).find());
        assertThat(result.status()).as(result.message()).isEqualTo(CheckResult.CheckStatus.FAILED);
        assertThat(result.message()).contains("ExtensionConfig other", "fleet");
    }

    @Test
    void readsCk8sConfigsInTheVersionThatTheyHave() {
        CheckResult result = new SnapHoldCheck(api).checkNodes();
        assertThat(result.message()).contains("fleet/n1");
    }
}
