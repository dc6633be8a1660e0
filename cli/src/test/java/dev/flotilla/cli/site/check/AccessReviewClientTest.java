package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reviews of rights by API servers that do not serve SubjectAccessReviews, or not now. */
class AccessReviewClientTest {
    private static final SiteId EAST = new SiteId("east");

    @TempDir
    private Path folder;

    private HttpServer server;
    private KubeApiClient api;
    private volatile int status;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "{\"kind\": \"Status\", \"message\": \"not here\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
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

    @ParameterizedTest
    @CsvSource({
        "404, this API server does not serve SubjectAccessReviews (404 not here)",
        "405, this API server does not serve SubjectAccessReviews (405 not here)",
        "422, this API server does not serve SubjectAccessReviews (422 not here)",
        "403, not permitted to review",
        "500, the review failed: 500 not here; try again"
    })
    void asksToTryAgainOnlyIfThatMayHelp(int answered, String says) {
        status = answered;

        List<CheckResult> results =
                new RbacPermissionCheck(api).checkPermissions(EAST, List.of(new ClusterKey(EAST, "fleet", "k1")));

        assertThat(results).hasSize(2).allSatisfy(result -> {
            assertThat(result.status()).isEqualTo(CheckResult.CheckStatus.UNKNOWN);
            assertThat(result.message()).startsWith(says);
            assertThat(result.message().contains("try again")).isEqualTo(answered == 500);
        });
    }
}
