package dev.flotilla.nodeworker.workload;

import static dev.flotilla.nodeworker.stub.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.Reply;
import dev.flotilla.nodeworker.management.Kubeconfigs;
import dev.flotilla.nodeworker.stub.TwoClusters;
import dev.flotilla.nodeworker.workload.WorkloadClusters.Borrowed;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.cert.Identity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkloadClustersIT {
    private TwoClusters world;
    private KubeApi management;
    private WorkloadClusters clusters;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusters();
        management = new KubeApi(world.config(), 4);
        clusters =
                new WorkloadClusters(new Kubeconfigs(management), 2, 4, Duration.ofSeconds(10), () -> TwoClusters.NOW);
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

    private static Reply read(Borrowed.Open open) {
        return open.api().get("/api/v1/nodes/w-1");
    }

    @Test
    void aConnectionIsKept() {
        KubeApi first;
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
            assertThat(read(blue)).isInstanceOf(Reply.Done.class);
            assertThat(read(red)).isInstanceOf(Reply.Done.class);
            assertThat(read(green)).isInstanceOf(Reply.Done.class);
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
            assertThat(read(blue)).isEqualTo(new Reply.Refused(401, "Unauthorized"));
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

    @Test
    void aClusterWithoutAKubeconfigIsNotReached() {
        assertThat(clusters.borrow(cluster("black")))
                .isInstanceOfSatisfying(
                        Borrowed.None.class,
                        none -> assertThat(none.why()).startsWith("Secret black-kubeconfig cannot be read: 404 "));
    }
}
