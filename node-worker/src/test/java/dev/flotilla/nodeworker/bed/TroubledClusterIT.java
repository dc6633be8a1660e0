package dev.flotilla.nodeworker.bed;

import static dev.flotilla.nodeworker.stub.KubeStub.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.nodeworker.hands.Hands;
import dev.flotilla.nodeworker.hands.Site;
import dev.flotilla.nodeworker.hands.SiteSettings;
import dev.flotilla.nodeworker.management.Mark;
import dev.flotilla.nodeworker.stub.KubeStub;
import dev.flotilla.nodeworker.stub.TwoClusters;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.testkit.cert.Authority;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What real API servers, and whoever passes for one, may show to a worker at the wrong time. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class TroubledClusterIT {
    private static final Instant FAR = Instant.now().plus(Duration.ofHours(1));

    private static Bed bed;
    private final AtomicLong ticks = new AtomicLong(1);
    private Site site;

    @BeforeAll
    static void startBed() throws Exception {
        bed = new Bed(3, 2);
    }

    @AfterAll
    static void stopBed() {
        bed.close();
    }

    @BeforeEach
    void open() throws Exception {
        bed.kubeconfig(Files.readString(bed.workload.kubeconfig()));
        String account = Files.readString(bed.management.kubeconfig(Bed.SERVICE_ACCOUNT, "system:serviceaccounts"));
        site = new Site(
                bed.vertx,
                KubeConnectionConfig.parseKubeconfig(account).toClientConfig(null, Duration.ofSeconds(10)),
                SiteSettings.DEFAULT,
                InstantSource.system(),
                ticks::get);
    }

    @AfterEach
    void close() {
        site.close();
    }

    private Hands hands(String node) {
        BedNode it = bed.node(node);
        return site.hands(new Errand(it.machine(), bed.uid(it), 7, it.role(), 1, "0/here"));
    }

    @Test
    void aClusterWithAnotherAddressAndAuthorityIsFound() throws Exception {
        Hands hands = hands("w-1");
        assertThat(done(hands.inspect(null))).isInstanceOf(NodeInspection.ObservedNode.class);
        try (KubeCluster rotated = KubeCluster.start(KubeOptions.apiServer())) {
            Bed.roles(rotated, "rbac-workload.yaml");
            rotated.apply("/api/v1/nodes/w-1", "{apiVersion: v1, kind: Node, metadata: {name: w-1}}");
            bed.workload.kill();
            bed.kubeconfig(Files.readString(rotated.kubeconfig()));
            assertThat(done(hands.inspect(null))).as("the old address").isInstanceOf(NodeInspection.Unreachable.class);
            ticks.addAndGet(Duration.ofSeconds(15).toNanos());
            assertThat(done(hands.inspect(null))).as("the new one").isInstanceOf(NodeInspection.ObservedNode.class);
        } finally {
            bed.workload.restart();
        }
    }

    @Test
    void anApiServerThatLeadsElsewhereLeadsNobody() throws Exception {
        Authority authority = Authority.create("another");
        try (KubeStub elsewhere = KubeStub.plain(bed.vertx);
                KubeStub redirecting = KubeStub.secure(bed.vertx, authority.issue("api"))) {
            redirecting.redirect(elsewhere.url() + "/latest/meta-data");
            bed.kubeconfig(TwoClusters.kubeconfig(redirecting.url(), authority, "token"));
            assertThat(done(hands("w-1").inspect(null)))
                    .isInstanceOfSatisfying(
                            NodeInspection.Unreachable.class,
                            unreachable -> assertThat(unreachable.text()).endsWith("307 a redirect, which is not followed"));
            assertThat(elsewhere.asked()).isEmpty();
        }
    }

    @Test
    void aMemberGoesOnlyWhileTheDatastoreIsWell() throws Exception {
        Hands member = hands("cp-1");
        done(member.inspect(null));
        try {
            assertThat(done(member.guard(FAR, () -> {}))).isNull();
            assertThat(done(member.judge()))
                    .as("with /readyz/etcd, as its role lets it ask")
                    .isNull();
            bed.controlPlaneSays("EtcdClusterHealthy", "False");
            ticks.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(done(member.judge())).isEqualTo("the control plane is not EtcdClusterHealthy (AsATestWants)");
            bed.controlPlaneSays("EtcdClusterHealthy", "True");
            ticks.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(done(member.judge())).isNull();
        } finally {
            done(member.undo());
        }
    }

    @Test
    void aCordonThatNobodyHasUndoneForADayIsUndone() throws Exception {
        String node = "/api/v1/nodes/w-2";
        String left = new Mark(3, "1/gone", List.of(), Instant.now().minus(Duration.ofDays(2))).text();
        assertThat(bed.workloadAdmin.mergePatch(
                        node,
                        Json.object(
                                "metadata",
                                Json.object("annotations", Json.object(Mark.ON_NODE, left)),
                                "spec",
                                Json.object("unschedulable", true))))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        Hands hands = hands("w-1");
        done(hands.inspect(null));
        try {
            assertThat(done(hands.guard(FAR, () -> {}))).isNull();
            assertThat(done(hands.judge())).isEqualTo("1 other workers are away");
            assertThat(bed.isUnschedulable(bed.node("w-2"))).isFalse();
            assertThat(done(hands.judge())).isNull();
        } finally {
            done(hands.undo());
        }
    }
}
