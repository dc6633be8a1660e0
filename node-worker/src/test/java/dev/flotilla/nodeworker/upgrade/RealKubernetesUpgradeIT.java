package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.bed.SiteTestBed;
import dev.flotilla.nodeworker.bed.TestBedNode;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole upgrades by a worker on a real Kafka, through real API servers of a management and a workload cluster, with the rights
 * that are deployed. The nodes are simulated, behind real tunnels and real TLS.
 */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class RealKubernetesUpgradeIT {
    private static final String TARGET = "3100";
    private static final String VERSION = "v1.33.0";

    private static LocalKafka kafka;
    private static SiteTestBed shared;
    private static long attempts = 100;

    /** One for all tests; each uses other machines. */
    @BeforeAll
    static void start() throws Exception {
        kafka = LocalKafka.start();
        shared = new SiteTestBed(3, 4);
    }

    @AfterAll
    static void stop() {
        shared.close();
        kafka.close();
    }

    private static SiteUpgradeSettings settings(K8sdTransportSetting k8sdTransportSetting) {
        SiteUpgradeSettings usual = SiteUpgradeSettings.DEFAULT;
        return new SiteUpgradeSettings(
                usual.siteMode(),
                usual.guards(),
                usual.drain(),
                k8sdTransportSetting,
                null,
                usual.maxTunnels(),
                usual.maxConnections(),
                usual.requestsPerCluster(),
                usual.timeout());
    }

    private static WorkersFixture workers(SiteTestBed siteTestBed, K8sdTransportSetting k8sdTransportSetting)
            throws Exception {
        NodeUpgraderFactory nodeUpgraders = new NodeUpgraderFactory(
                siteTestBed.vertx,
                siteTestBed.site(settings(k8sdTransportSetting)),
                new HostPort("127.0.0.1", siteTestBed.nodes.port()));
        WorkersFixture workersFixture = new WorkersFixture(kafka.bootstrap(), siteTestBed.site.name(), nodeUpgraders);
        workersFixture.start(k8sdTransportSetting.name().toLowerCase(Locale.ROOT));
        return workersFixture;
    }

    private static void command(WorkersFixture workersFixture, SiteTestBed siteTestBed, TestBedNode node) {
        workersFixture.command(node.machine(), siteTestBed.uid(node), ++attempts, node.role(), TARGET);
    }

    private static void awaitSuccess(WorkersFixture workersFixture, SiteTestBed siteTestBed, TestBedNode node) {
        workersFixture.await(
                node.name() + " to end",
                () -> workersFixture.lastReport(node.machine()) instanceof AttemptReport.Succeeded);
        assertThat(workersFixture.lastReport(node.machine()))
                .isEqualTo(new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, TARGET, VERSION));
        assertThat(siteTestBed.nodes.calls(node)).as("calls of " + node.name()).isEqualTo(1);
        assertThat(siteTestBed.annotation(node, "flotilla.dev/attempt")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"w-1, AUTO", "w-2, DIRECT", "w-3, PROXY"})
    void aMachineThatNobodyHasMetIsUpgraded(String name, K8sdTransportSetting k8sdTransportSetting) throws Exception {
        try (WorkersFixture workersFixture = workers(shared, k8sdTransportSetting)) {
            command(workersFixture, shared, shared.node(name));
            awaitSuccess(workersFixture, shared, shared.node(name));
        }
    }

    /** One of three members. */
    @Test
    void theApiServerOfTheClusterMayBeAwayFromTheCallOn() throws Exception {
        goesOnWithoutTheApiServer(shared, "cp-2", K8sdTransportSetting.PROXY);
    }

    @Test
    @Tag("nightly")
    void alsoWhereNodesAreReachedDirectly() throws Exception {
        goesOnWithoutTheApiServer(shared, "cp-1", K8sdTransportSetting.DIRECT);
    }

    @Test
    @Tag("nightly")
    void theApiServerOfTheClusterMayBeAwayFromTheCallOfItsOnlyMemberOn() throws Exception {
        try (SiteTestBed small = new SiteTestBed(1, 0)) {
            goesOnWithoutTheApiServer(small, "cp-1", K8sdTransportSetting.AUTO);
        }
    }

    /** The API server goes down after the call and comes back after the node was upgraded. */
    private static void goesOnWithoutTheApiServer(
            SiteTestBed siteTestBed, String name, K8sdTransportSetting k8sdTransportSetting) throws Exception {
        try (WorkersFixture workersFixture = workers(siteTestBed, k8sdTransportSetting)) {
            TestBedNode node = siteTestBed.node(name);
            command(workersFixture, siteTestBed, node);
            workersFixture.await("the call", () -> siteTestBed.nodes.calls(node) == 1);
            siteTestBed.workload.kill();
            workersFixture.await(
                    "the change to end", () -> siteTestBed.nodes.revision(node) == Integer.parseInt(TARGET));
            int asked = workersFixture.polls.get();
            assertThat(workersFixture.lastReport(node.machine())).isNotInstanceOf(AttemptReport.Failed.class);
            siteTestBed.workload.restart();
            awaitSuccess(workersFixture, siteTestBed, node);
            assertThat(workersFixture.polls.get()).as("questions").isGreaterThanOrEqualTo(asked);
        }
    }

    /** What guards are set by: without a second look only because of what an API server takes a test for null to mean. */
    @Test
    void somethingIsWrittenWhereNothingIsAndWhateverElseHasChanged() {
        String machine = SiteTestBed.machine(shared.node("w-1"));
        String[] all = {"metadata", "annotations"};
        String[] one = {"metadata", "annotations", "flotilla.dev/test"};
        KubeResponse.SuccessResponse seen = (KubeResponse.SuccessResponse) shared.managementAdmin.get(machine);
        JsonPatchBuilder first = new JsonPatchBuilder();
        if (!seen.object().has(all)) {
            first.testAbsent(all).setEmpty(all);
        }
        first.testAbsent(one).set("first", one);
        JsonPatchBuilder second = new JsonPatchBuilder().testAbsent(one).set("second", one);
        assertThat(shared.managementAdmin.jsonPatch(machine, first)).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(shared.managementAdmin.jsonPatch(machine, second).isConflict())
                .isTrue();
        assertThat(shared.annotation(shared.node("w-1"), "flotilla.dev/test")).isEqualTo("first");
    }

    @Test
    void aMachineIsNotCalledWhileTheApiServerOfItsClusterIsAway() throws Exception {
        try (WorkersFixture workersFixture = workers(shared, K8sdTransportSetting.PROXY)) {
            TestBedNode node = shared.node("w-4");
            String uid = shared.uid(node);
            shared.workload.kill();
            workersFixture.command(node.machine(), uid, ++attempts, node.role(), TARGET);
            workersFixture.await(
                    "a word that it waits",
                    () -> workersFixture.lastReport(node.machine()) instanceof AttemptReport.StepReached);
            assertThat(shared.nodes.calls(node)).isZero();
            shared.workload.restart();
            awaitSuccess(workersFixture, shared, node);
        }
    }
}
