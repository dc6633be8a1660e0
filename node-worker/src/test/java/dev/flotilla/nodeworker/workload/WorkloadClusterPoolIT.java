package dev.flotilla.nodeworker.workload;

import static dev.flotilla.nodeworker.stub.TwoClusterFixture.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.WatchResult;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.nodeworker.stub.KubeApiStub;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool.BorrowResult;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkloadClusterPoolIT {
    private TwoClusterFixture world;
    private KubeApiClient management;
    private WorkloadClusterPool clusters;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        management = new KubeApiClient(world.config(), 4);
        clusters = new WorkloadClusterPool(
                new KubeconfigSecretReader(management, true),
                2,
                4,
                Duration.ofSeconds(10),
                () -> TwoClusterFixture.NOW,
                world.ticks::get);
        for (String name : new String[] {"red", "green"}) {
            world.management.put(
                    SECRETS + name + "-kubeconfig",
                    TwoClusterFixture.secret("value", world.kubeconfig(TwoClusterFixture.CANARY)));
        }
    }

    @AfterEach
    void stop() throws Exception {
        clusters.close();
        management.close();
        world.close();
    }

    private static ClusterKey cluster(String name) {
        return new ClusterKey(new SiteId("north"), "fleet", name);
    }

    private BorrowResult.BorrowedConnection borrow(String name) {
        return (BorrowResult.BorrowedConnection) clusters.borrow(cluster(name));
    }

    private static KubeResponse read(BorrowResult.BorrowedConnection borrowedConnection) {
        return borrowedConnection.api().get("/api/v1/nodes/w-1");
    }

    @Test
    void aConnectionIsKept() {
        KubeApiClient first;
        try (BorrowResult.BorrowedConnection borrowedConnection = borrow("blue")) {
            first = borrowedConnection.api();
        }
        try (BorrowResult.BorrowedConnection borrowedConnection = borrow("blue")) {
            assertThat(borrowedConnection.api()).isSameAs(first);
        }
        assertThat(world.management.reads()).hasSize(1);
    }

    @Test
    void theOneThatNobodyUsesForLongestIsClosed() {
        borrow("blue").close();
        borrow("red").close();
        borrow("blue").close();
        borrow("green").close();
        assertThat(clusters.size()).isEqualTo(2);
        borrow("blue").close();
        assertThat(world.management.reads()).hasSize(3);
        borrow("red").close();
        assertThat(world.management.reads()).hasSize(4);
    }

    @Test
    void whatIsInUseStaysOpen() {
        try (BorrowResult.BorrowedConnection blue = borrow("blue");
                BorrowResult.BorrowedConnection red = borrow("red");
                BorrowResult.BorrowedConnection green = borrow("green")) {
            assertThat(clusters.size()).isEqualTo(3);
            assertThat(read(blue)).isInstanceOf(KubeResponse.SuccessResponse.class);
            assertThat(read(red)).isInstanceOf(KubeResponse.SuccessResponse.class);
            assertThat(read(green)).isInstanceOf(KubeResponse.SuccessResponse.class);
        }
        assertThat(clusters.size()).isEqualTo(2);
    }

    @Test
    void aClientCertificateIsUsedAndItsEndIsKnown() {
        KeyAndCertificate admin = world.authority.issue("admin");
        String kubeconfig = world.kubeconfig("none")
                .replace(
                        "token: none",
                        "client-certificate-data: " + encoded(admin.certificate()) + ", client-key-data: "
                                + encoded(admin.key()));
        world.management.put(SECRETS + "blue-kubeconfig", TwoClusterFixture.secret("value", kubeconfig));
        try (BorrowResult.BorrowedConnection blue = borrow("blue")) {
            assertThat(blue.expires())
                    .isAfter(Instant.now())
                    .isBefore(Instant.now().plus(Duration.ofDays(3)));
            assertThat(read(blue)).isEqualTo(new KubeResponse.ErrorResponse(401, "Unauthorized"));
        }
    }

    private static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aKeyThatCannotBeUsedIsNotQuoted() {
        String kubeconfig = world.kubeconfig("none")
                .replace(
                        "token: none",
                        "client-certificate-data: " + encoded(TwoClusterFixture.CANARY) + ", client-key-data: "
                                + encoded(TwoClusterFixture.CANARY));
        world.management.put(SECRETS + "blue-kubeconfig", TwoClusterFixture.secret("value", kubeconfig));
        assertThat(clusters.borrow(cluster("blue")))
                .isEqualTo(new BorrowResult.ClusterUnavailable("the kubeconfig's certificate or key cannot be used"));
    }

    private void kubeconfigOf(KubeApiStub server, CertificateAuthority authority) {
        world.management.put(
                SECRETS + "blue-kubeconfig",
                TwoClusterFixture.secret(
                        "value", TwoClusterFixture.kubeconfig(server.url(), authority, TwoClusterFixture.CANARY)));
    }

    private KubeApiStub anotherServer(CertificateAuthority authority) throws Exception {
        KubeApiStub server = KubeApiStub.secure(world.vertx, authority.issue("api"));
        server.put("/api/v1/nodes/w-1", new JsonObject().put("kind", "Node"));
        return server;
    }

    private KubeResponse readOnce() {
        try (BorrowResult.BorrowedConnection borrowedConnection = borrow("blue")) {
            return read(borrowedConnection);
        }
    }

    @Test
    void anApiServerOfAnotherAddressAndAuthorityIsFoundAfterSilence() throws Exception {
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
        CertificateAuthority rotated = CertificateAuthority.create("rotated");
        KubeApiStub elsewhere = anotherServer(rotated);
        world.workload.close();
        kubeconfigOf(elsewhere, rotated);
        assertThat(readOnce()).isInstanceOf(KubeResponse.NoResponse.class);
        world.pass(15_000);
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(clusters.size()).isEqualTo(1);
    }

    @Test
    void anotherAuthorityAtTheSameAddressIsFoundAfterSilence() throws Exception {
        CertificateAuthority rotated = CertificateAuthority.create("rotated");
        KubeApiStub server = anotherServer(rotated);
        kubeconfigOf(server, world.authority);
        assertThat(readOnce()).isInstanceOf(KubeResponse.NoResponse.class);
        kubeconfigOf(server, rotated);
        world.pass(15_000);
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    @Test
    void findsARecreatedClusterWhileTheOldOneResponds() throws Exception {
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
        KubeApiStub young = anotherServer(world.authority);
        kubeconfigOf(young, world.authority);
        world.pass(600_000);
        young.expect("nobody");
        assertThat(readOnce()).isEqualTo(new KubeResponse.ErrorResponse(401, "Unauthorized"));
    }

    @Test
    void aClusterThatIsSilentForLongIsAskedForRarely() {
        world.workload.close();
        for (int i = 0; i < 30; i++) {
            assertThat(readOnce()).isInstanceOf(KubeResponse.NoResponse.class);
            world.pass(1_000);
        }
        assertThat(world.management.reads()).hasSize(2);
    }

    /** Nothing arrives. */
    private static final class Untaken implements WatchResult.WatchHandler {
        @Override
        public void onOpened() {}

        @Override
        public void onEvent(String type, KubeObject object) {}
    }

    @Test
    void aRedirectIsARefusalAndNotFollowed() throws Exception {
        KubeApiStub metadata = KubeApiStub.plain(world.vertx);
        world.workload.redirect(metadata.url() + "/latest/meta-data");
        try (BorrowResult.BorrowedConnection borrowedConnection = borrow("blue")) {
            for (KubeResponse reply : List.of(
                    read(borrowedConnection),
                    borrowedConnection.api().mergePatch("/api/v1/nodes/w-1", new JsonObjectReader.Builder().build()),
                    borrowedConnection
                            .api()
                            .createObject(
                                    "/api/v1/namespaces/n/pods/p/eviction", new JsonObjectReader.Builder().build()))) {
                assertThat(reply).isEqualTo(new KubeResponse.ErrorResponse(307, "a redirect, which is not followed"));
            }
            assertThat(borrowedConnection
                            .api()
                            .watch("/api/v1/nodes", "1", Duration.ofSeconds(1), Duration.ofSeconds(1), new Untaken()))
                    .isEqualTo(new WatchResult.WatchBroken("rejected with status 307"));
        }
        assertThat(metadata.asked()).isEmpty();
    }

    @Test
    void outsideATestBedAKubeconfigThatLeadsToTheWorkerItselfIsRefused() {
        try (WorkloadClusterPool deployed = new WorkloadClusterPool(
                new KubeconfigSecretReader(management, false),
                2,
                4,
                Duration.ofSeconds(10),
                () -> TwoClusterFixture.NOW,
                () -> 0)) {
            assertThat(deployed.borrow(cluster("blue")))
                    .isEqualTo(new BorrowResult.ClusterUnavailable(
                            "Secret blue-kubeconfig names a server that is on the loopback, that is, on"
                                    + " the worker itself"));
        }
        assertThat(world.workload.asked()).isEmpty();
    }

    @Test
    void aClusterWithoutAKubeconfigIsNotReached() {
        assertThat(clusters.borrow(cluster("black")))
                .isInstanceOfSatisfying(
                        BorrowResult.ClusterUnavailable.class,
                        clusterUnavailable -> assertThat(clusterUnavailable.reason())
                                .startsWith("Secret black-kubeconfig cannot be read: 404 "));
    }
}
