package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.SampleUpgrades;
import dev.flotilla.nodeupgrader.cluster.WorkloadClients;
import dev.flotilla.nodeupgrader.cluster.WorkloadClients.ClientResult;
import dev.flotilla.nodeupgrader.cluster.WorkloadClusters;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The tokens of a node-upgrader in a workload cluster: when they are replaced, and what they outlive. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class WorkloadTokenIT {
    private static final String NAMESPACE = "flotilla-node-upgrades";
    private static final String SECRET = "/api/v1/namespaces/fleet/secrets/blue-kubeconfig";
    private static final String SERVICE_ACCOUNT =
            "/api/v1/namespaces/flotilla-node-upgrades/serviceaccounts/flotilla-node-upgrader";
    private static final String NODE = "/api/v1/nodes/w-1";

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong(1);
    private UpgraderTestBed bed;
    private WorkloadClients clients;

    @BeforeEach
    void start() throws Exception {
        bed = new UpgraderTestBed(folder);
        clients = new WorkloadClients(bed.admin, Duration.ofSeconds(10), nanos::get);
    }

    @AfterEach
    void stop() {
        clients.close();
        bed.close();
    }

    private KubeApiClient open() {
        return open(NodeUpgradePhase.RUNNING);
    }

    private KubeApiClient open(NodeUpgradePhase phase) {
        ClientResult result = clients.open(SampleUpgrades.nodeUpgrade(phase, false), NAMESPACE);
        assertThat(result).isInstanceOf(ClientResult.ClientOpened.class);
        return ((ClientResult.ClientOpened) result).client();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static void assertThatItWorks(KubeApiClient client) {
        assertThat(client.get(NODE)).isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    @Test
    void tokenIsReplacedAfterHalfOfItsValidityAndOutlivesItsKubeconfig() throws Exception {
        KubeApiClient first = open();
        pass(Duration.ofMinutes(29));
        assertThat(open()).isSameAs(first);
        pass(Duration.ofMinutes(2));
        KubeApiClient second = open();
        assertThat(second).isNotSameAs(first);
        // Another thread may have it.
        assertThatItWorks(first);
        bed.deleteNow(SECRET);
        pass(Duration.ofMinutes(31));
        assertThat(open()).isSameAs(second);
        assertThatItWorks(second);
        applySecret("");
        assertThat(open()).as("it was tried a moment ago").isSameAs(second);
        pass(Duration.ofSeconds(16));
        KubeApiClient third = open();
        assertThat(third).isNotSameAs(second);
        assertThatItWorks(third);
    }

    private void applySecret(String more) throws Exception {
        bed.cluster.apply(SECRET, """
                {apiVersion: v1, kind: Secret, metadata: {name: blue-kubeconfig, namespace: fleet}, data: {value: %s}}""".formatted(Base64.getEncoder()
                .encodeToString((Files.readString(bed.cluster.kubeconfig()) + more).getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void upgradeThatBeginsNeverUsesTheKubeconfigOfAnEarlierCluster() throws Exception {
        KubeApiClient first = open();
        assertThat(open(NodeUpgradePhase.PENDING)).isSameAs(first);
        // Another cluster has the name.
        applySecret("\n# another cluster\n");
        assertThat(open()).as("one that runs keeps its connection").isSameAs(first);
        KubeApiClient second = open(NodeUpgradePhase.PENDING);
        assertThat(second).isNotSameAs(first);
        assertThatItWorks(second);
        bed.deleteNow(SECRET);
        assertThat(clients.open(SampleUpgrades.nodeUpgrade(), NAMESPACE))
                .isInstanceOf(ClientResult.ClientUnavailable.class);
        assertThat(open()).isSameAs(second);
    }

    @Test
    void decisionAboutOneClusterIsNotPerformedInAnother() throws Exception {
        WorkloadClusters clusters = new WorkloadClusters(clients, "flotilla", InstantSource.system(), nanos::get);
        NodeUpgrade running = SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false);
        UpgradeDecision createJob = new UpgradeDecision.CreateJob(true);
        clusters.observe(running, SampleUpgrades.plan());
        applySecret("\n# another cluster\n");
        open(NodeUpgradePhase.PENDING);
        assertThat(clusters.perform(running, SampleUpgrades.plan(), createJob)).contains("was replaced");
        assertThat(bed.job(running.name()).uid()).isEmpty();
        clusters.observe(running, SampleUpgrades.plan());
        assertThat(clusters.perform(running, SampleUpgrades.plan(), createJob)).isNull();
        assertThat(bed.job(running.name()).uid()).isNotEmpty();
    }

    @Test
    void tokenThatTheClusterRejectsIsReplacedAndAMissingServiceAccountIsNamed() throws Exception {
        KubeApiClient first = open();
        assertThatItWorks(first);
        bed.deleteNow(SERVICE_ACCOUNT);
        // The API server remembers for a while that it has accepted the token.
        bed.awaitUpgrade("none", seen -> !(first.get(NODE) instanceof KubeResponse.SuccessResponse));
        assertThat(first.isUnauthorized()).isTrue();
        pass(Duration.ofSeconds(16));
        assertThat(clients.open(SampleUpgrades.nodeUpgrade(NodeUpgradePhase.RUNNING, false), NAMESPACE))
                .isInstanceOfSatisfying(ClientResult.ClientUnavailable.class, unavailable -> {
                    assertThat(unavailable.forbidden()).isTrue();
                    assertThat(unavailable.problem()).contains(NAMESPACE + "/flotilla-node-upgrader");
                });
        bed.cluster.apply(SERVICE_ACCOUNT, """
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: flotilla-node-upgrader, namespace: flotilla-node-upgrades}}""");
        pass(Duration.ofSeconds(16));
        KubeApiClient second = open();
        assertThat(second).isNotSameAs(first);
        assertThatItWorks(second);
    }
}
