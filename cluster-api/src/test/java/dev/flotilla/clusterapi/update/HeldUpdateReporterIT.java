package dev.flotilla.clusterapi.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.event.ObjectEventWriter;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The Event about an update that waits for long, on a real API server. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class HeldUpdateReporterIT {
    private static final String TASK = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/upgradetasks/w-0-1";

    private static List<KubeObject> events(KubeApiClient admin) {
        return ((KubeResponse.SuccessResponse) admin.get("/api/v1/namespaces/fleet/events"))
                .object().list("items").stream()
                        .filter(event -> "UpdateHeld".equals(event.text("reason")))
                        .toList();
    }

    @Test
    void anUpdateThatWaitsForFifteenMinutesIsOneEventOnItsMachine() throws Exception {
        try (KubeCluster cluster = KubeCluster.start(KubeOptions.apiServer()).withFlotilla();
                KubeApiClient admin =
                        KubeApiClient.open(cluster.kubeconfig(), Duration.ofSeconds(10), 1, System::nanoTime)) {
            cluster.apply("/api/v1/namespaces/fleet", "{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
            cluster.apply(TASK, """
                {apiVersion: flotilla.dev/v1alpha1, kind: UpgradeTask, metadata: {name: w-0-1, namespace: fleet,
                   labels: {flotilla.dev/machine-uid: uid-1}},
                 spec: {clusterName: blue, machines: [w-0], target: {version: v1.36.3}}}""");
            cluster.merge(
                    TASK + "/status",
                    "{\"status\": {\"phase\": \"Waiting\", \"machines\": [{\"name\": \"w-0\", \"state\": \"Waiting\", \"gate\": \"maintenance-window\"}]}}");

            OpenTaskLister tasks = new OpenTaskLister(admin);
            assertThat(reporterAfter(admin, Duration.ofMinutes(14)).reportHeld(openTasks(tasks)))
                    .isEmpty();
            assertThat(events(admin)).as("before 15 minutes").isEmpty();
            for (int replica = 0; replica < 2; replica++) {
                HeldUpdateReporter reporter = reporterAfter(admin, Duration.ofMinutes(16));
                assertThat(reporter.reportHeld(openTasks(tasks))).isEmpty();
                assertThat(reporter.reportHeld(openTasks(tasks))).isEmpty();
            }
            assertThat(events(admin)).hasSize(1);
            KubeObject event = events(admin).getFirst();
            assertThat(event.text("involvedObject", "name")).isEqualTo("w-0");
            assertThat(event.text("involvedObject", "uid")).isEqualTo("uid-1");
            assertThat(event.text("message"))
                    .contains("gate maintenance-window", "Use a campaign")
                    .doesNotContainPattern("minutes|[0-9]+ s");

            // The task of a machine that waits for a cap, a window or a campaign names no gate.
            cluster.merge(
                    TASK + "/status", "{\"status\": {\"machines\": [{\"name\": \"w-0\", \"state\": \"Waiting\"}]}}");
            assertThat(reporterAfter(admin, Duration.ofMinutes(16)).reportHeld(openTasks(tasks)))
                    .isEmpty();
            assertThat(events(admin))
                    .hasSize(2)
                    .anySatisfy(
                            other -> assertThat(other.text("message")).contains("`flotilla machine explain` names"));
            cluster.merge(
                    TASK + "/status",
                    "{\"status\": {\"machines\": [{\"name\": \"w-0\", \"state\": \"Waiting\", \"gate\":"
                            + " \"campaign-not-running\"}]}}");
            assertThat(reporterAfter(admin, Duration.ofMinutes(16)).reportHeld(openTasks(tasks)))
                    .isEmpty();
            assertThat(events(admin))
                    .hasSize(3)
                    .anySatisfy(other -> assertThat(other.text("message"))
                            .contains("A campaign admits it")
                            .doesNotContain("Use a campaign"));
            cluster.merge(TASK, "{\"spec\": {\"phase\": \"Abort\"}}");
            cluster.merge(
                    TASK + "/status",
                    "{\"status\": {\"machines\": [{\"name\": \"w-0\", \"state\": \"Waiting\", \"gate\": \"freeze\"}]}}");
            assertThat(reporterAfter(admin, Duration.ofMinutes(16)).reportHeld(openTasks(tasks)))
                    .isEmpty();
            assertThat(events(admin)).as("of a task that is being aborted").hasSize(3);
        }
    }

    private static List<KubeObject> openTasks(OpenTaskLister tasks) {
        return ((OpenTaskLister.TaskListResult.TasksListed) tasks.list()).open();
    }

    private static HeldUpdateReporter reporterAfter(KubeApiClient api, Duration passed) {
        InstantSource clock = () -> Instant.now().plus(passed);
        return new HeldUpdateReporter(new ObjectEventWriter(api, clock), clock);
    }
}
