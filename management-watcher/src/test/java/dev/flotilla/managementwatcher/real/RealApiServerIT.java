package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.Access;
import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.Reply;
import dev.flotilla.managementwatcher.stub.Samples;
import dev.flotilla.managementwatcher.stub.WatchedSite;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A watcher on a real API server, under exactly the role of {@code deploy/}; the orchestrator is played by hand. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class RealApiServerIT {
    private static final Path ROLE = Path.of("../deploy/management-watcher/rbac.yaml");
    private static final String CAPI = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/";
    private static final String KEYS = "v1beta2.k8sd.io/in-place-upgrade-";
    private static final String USER = "flotilla:watcher";

    private static LocalKafka kafka;
    private static KubeCluster management;
    private static KubeApi people;

    @BeforeAll
    static void start() throws Exception {
        kafka = LocalKafka.start();
        management = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        String role = Files.readString(ROLE).split("---\n", -1)[0];
        management.apply("/apis/rbac.authorization.k8s.io/v1/clusterroles/flotilla-management-watcher", role);
        management.apply("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/watcher", """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: watcher}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: flotilla-management-watcher}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
                """.formatted(USER));
        people = new KubeApi(
                Access.of(Files.readString(management.kubeconfig())).config(null, Duration.ofSeconds(10)), 4);
    }

    @AfterAll
    static void stop() {
        people.close();
        management.close();
        kafka.close();
    }

    @Test
    void aWishGoesInAndWhatCameOfItGoesBack() throws Exception {
        apply("clusters", "blue", "Cluster", "", "paused: false");
        machine("blue-w-0", "blue");
        try (WatchedSite site = site("real")) {
            site.watch("a");
            MachineKey machine = site.machine("blue-w-0");
            site.await("its row", () -> site.inventory(machine) instanceof MachineRow row && row.ready());
            assertThat(site.inventory(site.cluster("blue"))).isInstanceOf(ClusterRow.class);
            wish("blue-w-0", "revision=1100");
            site.await("the intent", () -> site.intent(machine) != null);
            Intent intent = (Intent) Objects.requireNonNull(site.intent(machine));
            Driver driver = new Driver.OfIntent(machine, intent.since());
            Attempt attempt = new Attempt(
                    17,
                    driver,
                    intent.option(),
                    new AttemptState.Running(Step.REFRESHING, "42", Instant.now()),
                    Instant.now(),
                    false);
            site.write(status(machine, intent, attempt, Outcome.OPEN));
            site.await("the beginning", () -> "42".equals(annotation("blue-w-0", "change-id")));
            site.write(status(machine, intent, null, Outcome.SUCCEEDED));
            site.await("the end", () -> "done".equals(annotation("blue-w-0", "status")));
            assertThat(annotation("blue-w-0", "release")).isEqualTo("revision=1100");
            assertThat(annotation("blue-w-0", "to")).isNull();
            site.await("the intent's end", () -> site.intent(machine) == null);
            assertThat(Files.readAllLines(management.auditLog()))
                    .filteredOn(line -> line.contains("\"" + USER + "\"")
                            && line.contains("\"verb\":\"patch\"")
                            && line.contains("blue-w-0"))
                    .hasSize(2);
            assertThat(site.unamended).isEmpty();
            assertThat(site.unseen).isEmpty();
        }
    }

    @Test
    void whatHappenedWhileTheApiServerWasAwayIsSeenAndNothingIsRemovedMeanwhile() throws Exception {
        apply("clusters", "red", "Cluster", "", "paused: false");
        machine("red-w-0", "red");
        machine("red-w-1", "red");
        try (WatchedSite site = site("killed")) {
            site.watch("a");
            MachineKey first = site.machine("red-w-0");
            MachineKey second = site.machine("red-w-1");
            site.await("both", () -> site.inventory(first) != null && site.inventory(second) != null);
            management.kill();
            site.await("trouble", () -> !site.unseen.isEmpty());
            management.restart();
            wish("red-w-0", "channel=1.33-classic/stable");
            wish("red-w-1", "revision=7");
            site.await("the wishes", () -> site.intent(first) != null && site.intent(second) != null);
            assertThat(site.takeWritten()).noneMatch(Gone.class::isInstance);
        }
    }

    private static WatchedSite site(String name) throws Exception {
        return new WatchedSite(kafka.bootstrap(), name, management.kubeconfig(USER), "default");
    }

    private static MachineStatus status(MachineKey machine, Intent intent, @Nullable Attempt attempt, Outcome outcome) {
        Driver driver = new Driver.OfIntent(machine, intent.since());
        return new MachineStatus(
                machine, intent.uid(), attempt, null, List.of(new Entry(driver, "", 0, null, outcome)));
    }

    private static void machine(String name, String cluster) {
        apply("machines", name, "Machine", "", """
                clusterName: %s
                  bootstrap: {dataSecretName: none}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: LXCMachine, name: %s}
                """.formatted(cluster, name).strip());
        management.apply(CAPI + "machines/" + name + "/status", """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: %1$s}
                status:
                  nodeRef: {name: %1$s}
                  conditions: [{type: NodeReady, status: "True", reason: NodeReady, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]
                """.formatted(name));
    }

    private static void apply(String plural, String name, String kind, String metadata, String spec) {
        management.apply(CAPI + plural + "/" + name, """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: %s
                metadata: {name: %s%s}
                spec:
                  %s
                """.formatted(kind, name, metadata, spec));
    }

    private static void wish(String machine, String option) {
        Kube body = Samples.kube("{'metadata': {'annotations': {'%sto': '%s'}}}".formatted(KEYS, option));
        assertThat(people.merge(CAPI + "machines/" + machine, body.json())).isInstanceOf(Reply.Done.class);
    }

    private static @Nullable String annotation(String machine, String name) {
        return people.get(CAPI + "machines/" + machine) instanceof Reply.Done done
                ? done.object().annotation(KEYS + name)
                : null;
    }
}
