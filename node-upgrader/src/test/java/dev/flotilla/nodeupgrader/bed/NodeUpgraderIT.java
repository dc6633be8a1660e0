package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.NodeUpgraderProcess;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A node-upgrader with its deployed rights on a real API server; the node's kubelet is played and runs the real scripts. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class NodeUpgraderIT {
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    private static Path folder;

    private static UpgraderTestBed bed;

    private final String name = "w-1-0a1b2c3d-" + NAMES.incrementAndGet();
    private Path ran;
    private NodeUpgraderProcess upgrader;

    @BeforeAll
    static void startBed() throws Exception {
        bed = new UpgraderTestBed(folder);
    }

    @AfterAll
    static void stopBed() {
        bed.close();
    }

    @BeforeEach
    void start() throws Exception {
        ran = folder.resolve(name + ".ran");
        upgrader = bed.startUpgrader();
    }

    @AfterEach
    void stop() {
        upgrader.close();
    }

    private String spec(String more) {
        return UpgradeObjects.spec(more)
                .replace("version=v1.36.3", "version=v1.36.1")
                .replace("plan: example", "plan: " + name);
    }

    private static String step(String stepName, String command, String more) {
        return "{name: %s, image: 'example.org/tools:1', command: [sh, -c, '%s']%s}"
                .formatted(stepName, command.replace("'", "''"), more.isEmpty() ? "" : ", " + more);
    }

    /** Notes that it has run, and waits until the test creates a file. */
    private String gated(String stepName) {
        return "echo %s >>%s; until [ -f %s ]; do sleep 0.05; done".formatted(stepName, ran, gate(stepName));
    }

    private Path gate(String stepName) {
        return folder.resolve(name + "." + stepName + ".go");
    }

    private void open(String stepName) throws Exception {
        Files.writeString(gate(stepName), "");
    }

    private void awaitStep(String stepName, int times) throws Exception {
        bed.awaitUpgrade(
                name, seen -> linesOf(ran).stream().filter(stepName::equals).count() >= times);
    }

    private static List<String> linesOf(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void imageThatCannotBePulledIsShownUntilItCan() throws Exception {
        bed.createPlan(name, "[{name: one, image: unpullable, command: [sh, -c, 'echo one >>" + ran + "']}]");
        bed.createUpgrade(name, spec(""));
        KubeObject waiting =
                bed.awaitUpgrade(name, seen -> "ImageNotPulled".equals(seen.text("status", "failureReason")));
        assertThat(waiting.text("status", "phase")).isEqualTo("Running");
        assertThat(waiting.text("status", "failureMessage"))
                .startsWith("image 'unpullable' of container step-one cannot be pulled to node w-1: ImagePullBackOff:"
                        + " Back-off pulling image; ");
        assertThat(waiting.has("status", "retryable")).isFalse();
        Files.writeString(folder.resolve("node/unpullable.pulled"), "");
        KubeObject ended = bed.awaitEnd(name);
        assertThat(ended.text("status", "phase")).isEqualTo("Succeeded");
        assertThat(ended.has("status", "failureReason")).isFalse();
        assertThat(ended.has("status", "failureMessage")).isFalse();
        assertThat(Files.readAllLines(ran)).containsExactly("one");
    }

    @Test
    void runsTheStepsInTheirOrderAndSucceedsByTheNodesReport() throws Exception {
        bed.createPlan(
                name,
                "[" + step("two", "echo two $FLOTILLA_VERSION $FLOTILLA_NODE >>" + ran, "") + ","
                        + step("members", "echo members >>" + ran, "roles: [control-plane]") + ","
                        + step("one", "echo one $$ >/dev/null; echo one >>" + ran, "phase: Prepare") + "]");
        bed.createUpgrade(name, spec(""));
        KubeObject ended = bed.awaitEnd(name);
        assertThat(ended.text("status", "phase"))
                .as(ended.text("status", "failureMessage"))
                .isEqualTo("Succeeded");
        assertThat(Files.readAllLines(ran)).containsExactly("one", "two v1.36.1 w-1");
        assertThat(ended.text("status", "observedVersion")).isEqualTo("v1.36.1");
        assertThat(ended.has("status", "lastHeartbeat")).isTrue();
        assertThat(ended.list("status", "steps"))
                .extracting(each -> each.text("name") + " " + each.text("state") + " " + each.number("exitCode"))
                .containsExactly("one Succeeded 0", "two Succeeded 0", "members Skipped null");
    }

    @Test
    void jobIsPinnedToTheNodeAndOutlivesWhatAnUpgradeDoesToIt() throws Exception {
        bed.createPlan(name, "[" + step("one", gated("one"), "") + "]");
        bed.createUpgrade(name, spec(""));
        awaitStep("one", 1);
        KubeObject job = bed.job(name);
        KubeObject pod = job.object("spec", "template", "spec");
        assertThat(pod.text("nodeName")).isEqualTo("w-1");
        assertThat(pod.bool("hostPID")).isTrue();
        assertThat(pod.text("priorityClassName")).isEqualTo("system-node-critical");
        assertThat(pod.has("automountServiceAccountToken")).isTrue();
        assertThat(pod.bool("automountServiceAccountToken")).isFalse();
        assertThat(pod.list("tolerations")).singleElement().satisfies(each -> {
            assertThat(each.text("operator")).isEqualTo("Exists");
            assertThat(each.has("key")).isFalse();
        });
        assertThat(job.object("spec", "template").label("cluster.x-k8s.io/drain"))
                .isEqualTo("skip");
        assertThat(job.number("spec", "backoffLimit")).isPositive();
        assertThat(pod.list("initContainers")).allSatisfy(each -> {
            assertThat(each.bool("securityContext", "privileged")).isTrue();
            assertThat(each.text("imagePullPolicy")).isEqualTo("IfNotPresent");
        });
        open("one");
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
    }

    @Test
    void showsTheStepThatRunsAndTheNodesHeartbeat() throws Exception {
        bed.createPlan(name, "[" + step("one", "echo one >>" + ran, "") + "," + step("two", gated("two"), "") + "]");
        bed.createUpgrade(name, spec(""));
        KubeObject running = bed.awaitUpgrade(
                name,
                seen -> seen.list("status", "steps").stream()
                        .anyMatch(each -> "two".equals(each.text("name")) && "Running".equals(each.text("state"))));
        assertThat(running.text("status", "phase")).isEqualTo("Running");
        assertThat(running.list("status", "steps").getFirst().text("state")).isEqualTo("Succeeded");
        assertThat(running.instant("status", "lastHeartbeat")).isNotNull();
        open("two");
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
    }

    @Test
    void restartBetweenAndWithinStepsRepeatsNothing() throws Exception {
        bed.createPlan(name, "[" + step("one", gated("one"), "") + "," + step("two", gated("two"), "") + "]");
        bed.createUpgrade(name, spec(""));
        awaitStep("one", 1);
        upgrader.close();
        bed.kubelet.killContainers();
        open("one");
        awaitStep("two", 1);
        upgrader = bed.startUpgrader();
        open("two");
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
        assertThat(Files.readAllLines(ran)).containsExactly("one", "two");
    }

    @Test
    void twoUpgradersCreateOneJobAndOneResult() throws Exception {
        try (NodeUpgraderProcess other = bed.startUpgrader()) {
            assertThat(other.url()).isNotEqualTo(upgrader.url());
            bed.createPlan(name, "[" + step("one", "echo one >>" + ran, "") + "]");
            bed.createUpgrade(name, spec(""));
            assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
        }
        assertThat(Files.readAllLines(ran)).containsExactly("one");
    }

    @Test
    void deletedJobIsCreatedAgainAndContinues() throws Exception {
        bed.createPlan(name, "[" + step("one", "echo one >>" + ran, "") + "," + step("two", gated("two"), "") + "]");
        bed.createUpgrade(name, spec(""));
        awaitStep("two", 1);
        String uid = bed.job(name).uid();
        bed.deleteJobWithPods(name);
        bed.awaitUpgrade(name, seen -> {
            String now = bed.job(name).uid();
            return !now.isEmpty() && !now.equals(uid);
        });
        open("two");
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
        assertThat(Files.readAllLines(ran)).containsExactly("one", "two");
    }

    @Test
    void changedPlanChangesNothingThatHasBegun() throws Exception {
        bed.createPlan(name, "[" + step("one", gated("one"), "") + "," + step("two", "echo two >>" + ran, "") + "]");
        bed.createUpgrade(name, spec(""));
        awaitStep("one", 1);
        bed.createPlan(name, "[" + step("three", "echo three >>" + ran, "permanentExitCodes: [1]") + "]");
        open("one");
        KubeObject ended = bed.awaitEnd(name);
        assertThat(ended.text("status", "phase"))
                .as(ended.text("status", "failureMessage"))
                .isEqualTo("Succeeded");
        assertThat(Files.readAllLines(ran)).containsExactly("one", "two");
        assertThat(ended.list("status", "steps"))
                .extracting(each -> each.text("name"))
                .containsExactly("one", "two");
    }

    @Test
    void abortEndsAfterTheStepThatRunsAndSaysWhere() throws Exception {
        bed.createPlan(name, "[" + step("one", gated("one"), "") + "," + step("two", gated("two"), "") + "]");
        bed.createUpgrade(name, spec(""));
        awaitStep("one", 1);
        bed.abort(name);
        bed.awaitSuspended(name);
        open("one");
        KubeObject ended = bed.awaitEnd(name);
        assertThat(ended.text("status", "phase")).isEqualTo("Aborted");
        assertThat(ended.text("status", "failureMessage")).isEqualTo("stopped after step one, before two");
        assertThat(Files.readAllLines(ran)).containsExactly("one");
    }

    @Test
    void deletedObjectStaysUntilTheStepThatRunsHasEnded() throws Exception {
        bed.createPlan(name, "[" + step("one", gated("one"), "") + "," + step("two", gated("two"), "") + "]");
        bed.createUpgrade(name, spec(""));
        awaitStep("one", 1);
        bed.deleteNow(UpgradeObjects.FLEET + "nodeupgrades/" + name);
        bed.awaitSuspended(name);
        assertThat(bed.upgrade(name).has("metadata", "deletionTimestamp")).isTrue();
        assertThat(bed.upgrade(name).texts("metadata", "finalizers")).containsExactly("flotilla.dev/node-upgrade");
        open("one");
        bed.awaitUpgrade(name, seen -> seen.uid().isEmpty());
        assertThat(Files.readAllLines(ran)).containsExactly("one");
    }

    @Test
    void objectIsReleasedWhenItHasEnded() throws Exception {
        bed.createPlan(name, "[" + step("one", "echo one >>" + ran, "") + "]");
        bed.createUpgrade(name, spec(""));
        bed.awaitEnd(name);
        bed.awaitUpgrade(name, seen -> seen.texts("metadata", "finalizers").isEmpty());
        bed.deleteNow(UpgradeObjects.FLEET + "nodeupgrades/" + name);
        assertThat(bed.upgrade(name).uid()).isEmpty();
    }

    @Test
    void invalidObjectThatIsHeldIsReleasedWhenItHasFailed() throws Exception {
        // The CRD's pattern allows such a name, and no Node can have it.
        String manifest = UpgradeObjects.nodeUpgrade(name, spec("").replace("node: w-1", "node: w..1"));
        bed.cluster.apply(
                UpgradeObjects.FLEET + "nodeupgrades/" + name,
                manifest.replace("namespace: fleet}", "namespace: fleet, finalizers: [flotilla.dev/node-upgrade]}"));
        assertThat(bed.awaitEnd(name).text("status", "failureReason")).isEqualTo("InvalidSpec");
        bed.awaitUpgrade(name, seen -> seen.texts("metadata", "finalizers").isEmpty());
    }

    @Test
    void abortBeforeTheStartCreatesNoJob() throws Exception {
        upgrader.close();
        bed.createPlan(name, "[" + step("one", "echo one >>" + ran, "") + "]");
        bed.createUpgrade(name, spec("phase: Abort"));
        upgrader = bed.startUpgrader();
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Aborted");
        assertThat(bed.job(name).uid()).isEmpty();
    }

    @Test
    void permanentExitCodeFailsAtOnceAndForGood() throws Exception {
        bed.createPlan(
                name,
                "[" + step("one", "echo one >>" + ran + "; exit 3", "permanentExitCodes: [3]") + ","
                        + step("two", "echo two >>" + ran, "") + "]");
        bed.createUpgrade(name, spec(""));
        KubeObject ended = bed.awaitEnd(name);
        assertThat(ended.text("status", "phase")).isEqualTo("Failed");
        assertThat(ended.text("status", "failureReason")).isEqualTo("StepFailed");
        assertThat(ended.has("status", "retryable")).isTrue();
        assertThat(ended.bool("status", "retryable")).isFalse();
        assertThat(ended.text("status", "failureMessage"))
                .contains("step one", "exit code 3", "/one/1/log on node w-1");
        assertThat(Files.readAllLines(ran)).containsExactly("one");
    }

    @Test
    void retryableExitCodeIsTriedThreeTimes() throws Exception {
        bed.createPlan(name, "[" + step("one", "echo one >>" + ran + "; exit 5", "retryableExitCodes: [5]") + "]");
        bed.createUpgrade(name, spec(""));
        KubeObject ended = bed.awaitEnd(name);
        assertThat(ended.text("status", "failureReason")).isEqualTo("StepFailedRetryably");
        assertThat(ended.bool("status", "retryable")).isTrue();
        assertThat(Files.readAllLines(ran)).containsExactly("one", "one", "one");
    }

    @Test
    void failsWithoutAJobWhereItCannotStart() throws Exception {
        bed.createUpgrade(name, spec(""));
        assertThat(bed.awaitEnd(name).text("status", "failureReason")).isEqualTo("PlanNotFound");
        assertThat(bed.job(name).uid()).isEmpty();
    }

    @Test
    void refusesTheNodeWithTheOnlyReplicaOfFlotilla() throws Exception {
        bed.cluster.apply(
                "/api/v1/namespaces/flotilla", "{apiVersion: v1, kind: Namespace, metadata: {name: flotilla}}");
        String pod = applyPodOfFlotilla("flotilla");
        bed.createPlan(name, "[" + step("one", "echo one >>" + ran, "") + "]");
        bed.createUpgrade(name, spec(""));
        KubeObject ended = bed.awaitEnd(name);
        assertThat(ended.text("status", "failureReason")).isEqualTo("OnlyReplicaOnNode");
        assertThat(ended.text("status", "failureMessage"))
                .contains("pod flotilla/orchestrator-" + name, "run two replicas");
        assertThat(ended.bool("status", "retryable")).isTrue();
        assertThat(ran).doesNotExist();
        bed.deleteNow(pod);
    }

    @Test
    void podOfAnotherNamespaceWithFlotillasLabelKeepsNoNodeFromItsUpgrade() throws Exception {
        String pod = applyPodOfFlotilla("fleet");
        bed.createPlan(name, "[" + step("one", "echo one >>" + ran, "") + "]");
        bed.createUpgrade(name, spec(""));
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
        bed.deleteNow(pod);
    }

    private String applyPodOfFlotilla(String namespace) {
        String pod = "/api/v1/namespaces/" + namespace + "/pods/orchestrator-" + name;
        bed.cluster.apply(pod, """
                {apiVersion: v1, kind: Pod, metadata: {name: orchestrator-%s, namespace: %s,
                  labels: {app.kubernetes.io/part-of: flotilla, app.kubernetes.io/name: flotilla-orchestrator}},
                 spec: {nodeName: w-1, containers: [{name: c, image: i}]}}""".formatted(name, namespace));
        return pod;
    }

    @Test
    void restartOfTheApiServerEndsNothing() throws Exception {
        bed.createPlan(name, "[" + step("one", gated("one"), "") + "," + step("two", "echo two >>" + ran, "") + "]");
        bed.createUpgrade(name, spec(""));
        awaitStep("one", 1);
        bed.cluster.kill();
        open("one");
        bed.awaitUpgrade(name, unread -> bed.kubelet.lastLog().contains("\"one\":\"Succeeded"));
        bed.cluster.restart();
        assertThat(bed.awaitEnd(name).text("status", "phase")).isEqualTo("Succeeded");
        assertThat(Files.readAllLines(ran)).containsExactly("one", "two");
    }
}
