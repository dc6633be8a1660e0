package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.registration.ExtensionConflictFinder;
import java.io.IOException;
import java.nio.file.Path;
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

    private StubApiServer server;

    @BeforeEach
    void start() throws IOException {
        server = new StubApiServer(folder, path -> {
            String answer = ANSWERS.get(path);
            return answer == null ? new StubApiServer.StubAnswer(404, "{}") : new StubApiServer.StubAnswer(200, answer);
        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void findsAnExtensionThatIsRegisteredInTheNewVersion() {
        CheckResult result =
                ExtensionConflictCheck.checkExtensions(new ExtensionConflictFinder(server.client()).find());
        assertThat(result.status()).as(result.message()).isEqualTo(CheckResult.CheckStatus.FAILED);
        assertThat(result.message()).contains("ExtensionConfig other", "fleet");
    }

    @Test
    void readsCk8sConfigsInTheVersionThatTheyHave() {
        CheckResult result = new SnapHoldCheck(server.client()).checkNodes();
        assertThat(result.message()).contains("fleet/n1");
    }
}
