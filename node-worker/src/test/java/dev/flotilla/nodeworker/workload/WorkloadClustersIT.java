package dev.flotilla.nodeworker.workload;

import static dev.flotilla.nodeworker.stub.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.WatchResult;
import dev.flotilla.nodeworker.management.Kubeconfigs;
import dev.flotilla.nodeworker.stub.KubeStub;
import dev.flotilla.nodeworker.stub.TwoClusters;
import dev.flotilla.nodeworker.workload.WorkloadClusters.Borrowed;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.testkit.cert.Authority;
import dev.flotilla.testkit.cert.Identity;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkloadClustersIT {
    private TwoClusters world;
    private KubeApiClient management;
    private WorkloadClusters clusters;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusters();
        management = new KubeApiClient(world.config(), 4);
        clusters = new WorkloadClusters(
                new Kubeconfigs(management, true),
                2,
                4,
                Duration.ofSeconds(10),
                () -> TwoClusters.NOW,
                world.ticks::get);
        for (String name : new String[] {"red", "green"}) {
            world.management.put(
                    SECRETS + name + "-kubeconfig", TwoClusters.secret("value", world.kubeconfig(TwoClusters.CANARY)));
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

    private Borrowed.Open borrow(String name) {
        return (Borrowed.Open) clusters.borrow(cluster(name));
    }

    private static KubeResponse read(Borrowed.Open open) {
        return open.api().get("/api/v1/nodes/w-1");
    }

    @Test
    void aConnectionIsKept() {
        KubeApiClient first;
        try (Borrowed.Open open = borrow("blue")) {
            first = open.api();
        }
        try (Borrowed.Open open = borrow("blue")) {
            assertThat(open.api()).isSameAs(first);
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
        try (Borrowed.Open blue = borrow("blue");
                Borrowed.Open red = borrow("red");
                Borrowed.Open green = borrow("green")) {
            assertThat(clusters.size()).isEqualTo(3);
            assertThat(read(blue)).isInstanceOf(KubeResponse.SuccessResponse.class);
            assertThat(read(red)).isInstanceOf(KubeResponse.SuccessResponse.class);
            assertThat(read(green)).isInstanceOf(KubeResponse.SuccessResponse.class);
        }
        assertThat(clusters.size()).isEqualTo(2);
    }

    @Test
    void aClientCertificateIsUsedAndItsEndIsKnown() {
        Identity admin = world.authority.issue("admin");
        String kubeconfig = world.kubeconfig("none")
                .replace(
                        "token: none",
                        "client-certificate-data: " + encoded(admin.certificate()) + ", client-key-data: "
                                + encoded(admin.key()));
        world.management.put(SECRETS + "blue-kubeconfig", TwoClusters.secret("value", kubeconfig));
        try (Borrowed.Open blue = borrow("blue")) {
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
                        "client-certificate-data: " + encoded(TwoClusters.CANARY) + ", client-key-data: "
                                + encoded(TwoClusters.CANARY));
        world.management.put(SECRETS + "blue-kubeconfig", TwoClusters.secret("value", kubeconfig));
        assertThat(clusters.borrow(cluster("blue")))
                .isEqualTo(new Borrowed.None("the kubeconfig's certificate or key cannot be used"));
    }

    private void kubeconfigOf(KubeStub server, Authority authority) {
        world.management.put(
                SECRETS + "blue-kubeconfig",
                TwoClusters.secret("value", TwoClusters.kubeconfig(server.url(), authority, TwoClusters.CANARY)));
    }

    private KubeStub anotherServer(Authority authority) throws Exception {
        KubeStub server = KubeStub.secure(world.vertx, authority.issue("api"));
        server.put("/api/v1/nodes/w-1", new JsonObject().put("kind", "Node"));
        return server;
    }

    private KubeResponse readOnce() {
        try (Borrowed.Open open = borrow("blue")) {
            return read(open);
        }
    }

    @Test
    void anApiServerOfAnotherAddressAndAuthorityIsFoundAfterSilence() throws Exception {
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
        Authority rotated = Authority.create("rotated");
        KubeStub elsewhere = anotherServer(rotated);
        world.workload.close();
        kubeconfigOf(elsewhere, rotated);
        assertThat(readOnce()).isInstanceOf(KubeResponse.NoResponse.class);
        world.pass(15_000);
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(clusters.size()).isEqualTo(1);
    }

    @Test
    void anotherAuthorityAtTheSameAddressIsFoundAfterSilence() throws Exception {
        Authority rotated = Authority.create("rotated");
        KubeStub server = anotherServer(rotated);
        kubeconfigOf(server, world.authority);
        assertThat(readOnce()).isInstanceOf(KubeResponse.NoResponse.class);
        kubeconfigOf(server, rotated);
        world.pass(15_000);
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    @Test
    void aClusterThatWasMadeAnewUnderItsNameIsFoundThoughTheOldOneAnswers() throws Exception {
        assertThat(readOnce()).isInstanceOf(KubeResponse.SuccessResponse.class);
        KubeStub young = anotherServer(world.authority);
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
        KubeStub metadata = KubeStub.plain(world.vertx);
        world.workload.redirect(metadata.url() + "/latest/meta-data");
        try (Borrowed.Open open = borrow("blue")) {
            for (KubeResponse reply : List.of(
                    read(open),
                    open.api().mergePatch("/api/v1/nodes/w-1", new JsonObjectReader.Builder().build()),
                    open.api().createObject("/api/v1/namespaces/n/pods/p/eviction", new JsonObjectReader.Builder().build()))) {
                assertThat(reply).isEqualTo(new KubeResponse.ErrorResponse(307, "a redirect, which is not followed"));
            }
            assertThat(open.api()
                            .watch("/api/v1/nodes", "1", Duration.ofSeconds(1), Duration.ofSeconds(1), new Untaken()))
                    .isEqualTo(new WatchResult.WatchBroken("refused with 307"));
        }
        assertThat(metadata.asked()).isEmpty();
    }

    @Test
    void outsideATestBedAKubeconfigThatLeadsToTheWorkerItselfIsRefused() {
        try (WorkloadClusters deployed = new WorkloadClusters(
                new Kubeconfigs(management, false), 2, 4, Duration.ofSeconds(10), () -> TwoClusters.NOW, () -> 0)) {
            assertThat(deployed.borrow(cluster("blue")))
                    .isEqualTo(new Borrowed.None(
                            "Secret blue-kubeconfig names a server that is on the loopback, that is, on"
                                    + " the worker itself"));
        }
        assertThat(world.workload.asked()).isEmpty();
    }

    @Test
    void aClusterWithoutAKubeconfigIsNotReached() {
        assertThat(clusters.borrow(cluster("black")))
                .isInstanceOfSatisfying(
                        Borrowed.None.class,
                        none -> assertThat(none.why()).startsWith("Secret black-kubeconfig cannot be read: 404 "));
    }
}
