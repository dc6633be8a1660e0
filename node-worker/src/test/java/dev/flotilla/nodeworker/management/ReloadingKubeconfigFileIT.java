package dev.flotilla.nodeworker.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.stub.KubeApiStub;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.testkit.cert.CertificateAuthority;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kubeconfig file that is renewed while it is in use. */
class ReloadingKubeconfigFileIT {
    private static final String NODE = "/api/v1/nodes/w-1";

    @TempDir
    private Path folder;

    private TwoClusterFixture world;
    private Path file;
    private KubeApiClient api;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        file = folder.resolve("kubeconfig");
        says(world.kubeconfig(TwoClusterFixture.CANARY));
        api = KubeApiClient.open(file, Duration.ofSeconds(10), 4, world.ticks::get);
    }

    @AfterEach
    void stop() {
        api.close();
        world.close();
    }

    private void says(String kubeconfig) throws IOException {
        Files.writeString(file, kubeconfig);
    }

    @Test
    void credentialsThatAreRenewedAreUsedOnceTheOldOnesAreRefused() throws Exception {
        assertThat(api.get(NODE)).isInstanceOf(KubeResponse.SuccessResponse.class);
        world.workload.expect("renewed");
        assertThat(api.get(NODE)).isEqualTo(new KubeResponse.ErrorResponse(401, "Unauthorized"));
        says(world.kubeconfig("renewed"));
        world.pass(1_000);
        assertThat(api.get(NODE)).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    @Test
    void anotherServerIsFoundThoughTheOldOneAnswers() throws Exception {
        assertThat(api.get(NODE)).isInstanceOf(KubeResponse.SuccessResponse.class);
        CertificateAuthority other = CertificateAuthority.create("other");
        KubeApiStub elsewhere = KubeApiStub.secure(world.vertx, other.issue("api"));
        elsewhere.put(NODE, new JsonObject().put("kind", "Other"));
        says(TwoClusterFixture.kubeconfig(elsewhere.url(), other, "any"));
        world.pass(10_000);
        assertThat(api.get(NODE))
                .isInstanceOfSatisfying(
                        KubeResponse.SuccessResponse.class,
                        successResponse -> assertThat(successResponse.object().text("kind"))
                                .isEqualTo("Other"));
    }

    @Test
    void aFileThatIsHalfWrittenIsLookedAtAgain() throws Exception {
        world.workload.expect("renewed");
        assertThat(api.get(NODE)).matches(reply -> reply.problem().startsWith("401"));
        says("apiVersion: v1");
        world.pass(1_000);
        assertThat(api.get(NODE)).matches(reply -> reply.problem().startsWith("401"));
        says(world.kubeconfig("renewed"));
        world.pass(1_000);
        assertThat(api.get(NODE)).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    @Test
    void whoIsNotLetInForAMinuteIsLockedOut() {
        world.workload.expect("another");
        api.get(NODE);
        assertThat(api.isLockedOut()).isFalse();
        world.pass(60_000);
        api.get(NODE);
        assertThat(api.isLockedOut()).isTrue();
        world.workload.expect(TwoClusterFixture.CANARY);
        api.get(NODE);
        assertThat(api.isLockedOut()).isFalse();
    }
}
