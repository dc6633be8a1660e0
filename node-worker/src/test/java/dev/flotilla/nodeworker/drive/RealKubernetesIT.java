package dev.flotilla.nodeworker.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.JsonPatchBuilder;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.bed.Bed;
import dev.flotilla.nodeworker.bed.BedNode;
import dev.flotilla.nodeworker.hands.SiteSettings;
import dev.flotilla.nodeworker.hands.Transport;
import dev.flotilla.nodeworker.site.SiteTools;
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
class RealKubernetesIT {
    private static final String TARGET = "3100";
    private static final String VERSION = "v1.33.0";

    private static LocalKafka kafka;
    private static Bed shared;
    private static long attempts = 100;

    /** One for all tests, of which each has machines of its own. */
    @BeforeAll
    static void start() throws Exception {
        kafka = LocalKafka.start();
        shared = new Bed(3, 4);
    }

    @AfterAll
    static void stop() {
        shared.close();
        kafka.close();
    }

    private static SiteSettings settings(Transport transport) {
        SiteSettings usual = SiteSettings.DEFAULT;
        return new SiteSettings(
                usual.trigger(),
                usual.guards(),
                usual.drain(),
                transport,
                null,
                usual.tunnels(),
                usual.connections(),
                usual.requestsPerCluster(),
                usual.timeout());
    }

    private static Workers workers(Bed bed, Transport transport) throws Exception {
        SiteTools bench =
                new SiteTools(bed.vertx, bed.site(settings(transport)), new HostPort("127.0.0.1", bed.nodes.port()));
        Workers workers = new Workers(kafka.bootstrap(), bed.site.name(), bench);
        workers.start(transport.name().toLowerCase(Locale.ROOT));
        return workers;
    }

    private static void command(Workers workers, Bed bed, BedNode node) {
        workers.command(node.machine(), bed.uid(node), ++attempts, node.role(), TARGET);
    }

    private static void awaitSuccess(Workers workers, Bed bed, BedNode node) {
        workers.await(node.name() + " to end", () -> workers.told(node.machine()) instanceof AttemptReport.Succeeded);
        assertThat(workers.told(node.machine()))
                .isEqualTo(new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, TARGET, VERSION));
        assertThat(bed.nodes.calls(node)).as("calls of " + node.name()).isEqualTo(1);
        assertThat(bed.annotation(node, "flotilla.dev/attempt")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"w-1, AUTO", "w-2, DIRECT", "w-3, PROXY"})
    void aMachineThatNobodyHasMetIsUpgraded(String name, Transport transport) throws Exception {
        try (Workers workers = workers(shared, transport)) {
            command(workers, shared, shared.node(name));
            awaitSuccess(workers, shared, shared.node(name));
        }
    }

    /** One of three members. */
    @Test
    void theApiServerOfTheClusterMayBeAwayFromTheCallOn() throws Exception {
        goesOnWithoutTheApiServer(shared, "cp-2", Transport.PROXY);
    }

    @Test
    @Tag("whole")
    void alsoWhereNodesAreReachedDirectly() throws Exception {
        goesOnWithoutTheApiServer(shared, "cp-1", Transport.DIRECT);
    }

    @Test
    @Tag("whole")
    void theApiServerOfTheClusterMayBeAwayFromTheCallOfItsOnlyMemberOn() throws Exception {
        try (Bed small = new Bed(1, 0)) {
            goesOnWithoutTheApiServer(small, "cp-1", Transport.AUTO);
        }
    }

    /** The call goes out, the API server goes down, the node does its work meanwhile, the API server comes back. */
    private static void goesOnWithoutTheApiServer(Bed bed, String name, Transport transport) throws Exception {
        try (Workers workers = workers(bed, transport)) {
            BedNode node = bed.node(name);
            command(workers, bed, node);
            workers.await("the call", () -> bed.nodes.calls(node) == 1);
            bed.workload.kill();
            workers.await("the change to end", () -> bed.nodes.revision(node) == Integer.parseInt(TARGET));
            int asked = workers.polls.get();
            assertThat(workers.told(node.machine())).isNotInstanceOf(AttemptReport.Failed.class);
            bed.workload.restart();
            awaitSuccess(workers, bed, node);
            assertThat(workers.polls.get()).as("questions").isGreaterThanOrEqualTo(asked);
        }
    }

    /** What guards are set by: without a second look only because of what an API server takes a test for null to mean. */
    @Test
    void somethingIsWrittenWhereNothingIsAndWhateverElseHasChanged() {
        String machine = Bed.machine(shared.node("w-1"));
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
        assertThat(shared.managementAdmin.jsonPatch(machine, second).isConflict()).isTrue();
        assertThat(shared.annotation(shared.node("w-1"), "flotilla.dev/test")).isEqualTo("first");
    }

    @Test
    void aMachineIsNotCalledWhileTheApiServerOfItsClusterIsAway() throws Exception {
        try (Workers workers = workers(shared, Transport.PROXY)) {
            BedNode node = shared.node("w-4");
            String uid = shared.uid(node);
            shared.workload.kill();
            workers.command(node.machine(), uid, ++attempts, node.role(), TARGET);
            workers.await("a word that it waits", () -> workers.told(node.machine()) instanceof AttemptReport.StepReached);
            assertThat(shared.nodes.calls(node)).isZero();
            shared.workload.restart();
            awaitSuccess(workers, shared, node);
        }
    }
}
