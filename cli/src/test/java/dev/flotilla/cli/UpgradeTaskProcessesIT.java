package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** UpgradeTasks with all processes of Flotilla, at a real API server: what people see, kills, aborts and deletions. */
@Tag("nightly")
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
class UpgradeTaskProcessesIT {
    private static final Path PAGE = CliResult.ROOT.resolve("docs/upgrade-task.md");
    private static final boolean REWRITES = Boolean.getBoolean("flotilla.rewrite");
    private static final String MACHINE_OWNER = "{.metadata.annotations.flotilla\\.dev/upgrade-task}";

    @TempDir
    private static Path folder;

    private static UpgradeTaskFleet fleet;

    @BeforeAll
    static void start() throws IOException {
        fleet = new UpgradeTaskFleet(folder, "blue 3 3", "red 0 3", "early 0 1", "late 0 2", "gone 0 1");
    }

    @AfterAll
    static void stop() throws IOException {
        fleet.close();
    }

    /** The members first, since a worker waits for them. */
    @Test
    void pageShowsWhatKubectlPrints() throws IOException {
        String members =
                "controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: blue-cp}";
        assertShown("control-plane", "blue-cp", members);
        assertShown("workers", "blue-workers", "machineDeploymentRef: {name: blue-workers}");
    }

    private static void assertShown(String part, String owner, String selection) throws IOException {
        String task = owner + "-to-1-36-3";
        fleet.watch(owner);
        fleet.createTask(task, "blue", selection);
        fleet.await("the end", () -> fleet.phase(task).equals("Completed"));
        fleet.await(
                "its conditions",
                () -> fleet.transcript().stream()
                                .filter(line -> line.startsWith("machine ") && line.endsWith("Ready"))
                                .count()
                        >= 3);
        fleet.await("its last line", () -> fleet.transcript().stream().anyMatch(line -> line.contains(" Completed ")));
        List<String> printed = fleet.transcript();
        Matcher shown = block(part).matcher(Files.readString(PAGE));
        assertThat(shown.find()).as("a part of the page: " + part).isTrue();
        if (REWRITES) {
            String text = shown.replaceFirst(
                    Matcher.quoteReplacement(shown.group(1) + String.join("\n", printed) + "\n" + shown.group(3)));
            Files.writeString(PAGE, text);
        } else {
            assertThat(facts(shown.group(2).lines().toList())).isEqualTo(facts(printed));
        }
        assertThat(fleet.nodeUpgrades(owner)).hasSize(3).allMatch(each -> each.endsWith(" Succeeded Ongoing"));
    }

    private static Pattern block(String part) {
        return Pattern.compile("(<!-- printed: " + part + " -->\n```text\n)(.*?)(```)", Pattern.DOTALL);
    }

    /**
     * Returns what is the same in each run: the phases of each object once it has begun, and how many machines had succeeded in
     * each. Steps, gates and ages are not, and each object has its own order.
     */
    private static Map<String, List<String>> facts(List<String> lines) {
        Map<String, List<String>> facts = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.split("\\s+");
            String fact = switch (words[0]) {
                case "ut" ->
                    words.length > 5 && !words[1].equals("NAME") ? words[4] + " " + words[5] + "/" + words[6] : "";
                case "nodeupgrade" -> words.length > 6 ? words[5] : "";
                case "machine" -> words.length > 3 ? words[3] : "";
                default -> "";
            };
            if (!fact.isEmpty() && !words[1].equals("NAME") && !fact.matches("<none>|Waiting.*")) {
                String object =
                        words[0].equals("nodeupgrade") ? "nodeupgrade of " + words[2] : words[0] + " " + words[1];
                List<String> all = facts.computeIfAbsent(object, first -> new ArrayList<>());
                if (all.isEmpty() || !all.getLast().equals(fact)) {
                    all.add(fact);
                }
            }
        }
        return facts;
    }

    @Test
    void killedProcessesLeaveOneNodeUpgradeForEachAttempt() {
        fleet.kill("management-watcher");
        fleet.createTask("red", "red", "machineDeploymentRef: {name: red-workers}");
        fleet.kill("node-worker");
        fleet.await("the first call", () -> fleet.nodeUpgrades("red").size() == 1);
        fleet.kill("node-worker");
        fleet.kill("management-watcher");
        fleet.await("its end", () -> fleet.nodeUpgrades("red").contains("red-workers-0 Succeeded Ongoing"));
        fleet.kill("node-worker");
        fleet.await("the second call", () -> fleet.nodeUpgrades("red").size() == 2);
        fleet.kill("management-watcher");
        fleet.kill("orchestrator");
        fleet.await("the end", () -> fleet.phase("red").equals("Completed"));
        assertThat(fleet.nodeUpgrades("red"))
                .containsExactlyInAnyOrder(
                        "red-workers-0 Succeeded Ongoing",
                        "red-workers-1 Succeeded Ongoing",
                        "red-workers-2 Succeeded Ongoing");
        fleet.await(
                "no owner",
                () -> fleet.value("machine/red-workers-2", MACHINE_OWNER).isEmpty());
    }

    @Test
    void abortBeforeTheCallCallsNothing() throws Exception {
        fleet.signal("node-worker", "STOP");
        fleet.createTask("early", "early", "machines: [early-workers-0]");
        fleet.await("the admission", () -> fleet.phase("early").equals("InProgress"));
        abort("early");
        fleet.await(
                "the wait",
                () -> fleet.value("ut/early", "{.status.conditions[?(@.type=='Completed')].reason}")
                        .equals("Aborting"));
        fleet.signal("node-worker", "CONT");
        fleet.await("the end", () -> fleet.phase("early").equals("Aborted"));
        assertThat(fleet.nodeUpgrades("early")).isEmpty();
        assertThat(fleet.value("machine/early-workers-0", MACHINE_OWNER)).isEmpty();
        assertThat(fleet.value("ut/early", "{.status.machines[*].state}")).isEqualTo("Aborted");
    }

    @Test
    void abortAfterTheCallAbortsTheNodeUpgradeAndStartsNoOther() throws Exception {
        fleet.signalUpgrader("STOP");
        fleet.createTask("late", "late", "machineDeploymentRef: {name: late-workers}");
        fleet.await("the call", () -> !fleet.nodeUpgrades("late").isEmpty());
        abort("late");
        fleet.await("the abort", () -> fleet.nodeUpgrades("late").getFirst().endsWith(" Abort"));
        assertThat(fleet.phase("late")).isEqualTo("InProgress");
        fleet.signalUpgrader("CONT");
        fleet.await("the end", () -> fleet.phase("late").equals("Aborted"));
        assertThat(fleet.nodeUpgrades("late")).singleElement().asString().endsWith(" Aborted Abort");
        for (String machine : List.of("late-workers-0", "late-workers-1")) {
            assertThat(fleet.value("machine/" + machine, MACHINE_OWNER)).isEmpty();
            assertThat(fleet.value("machine/" + machine, "{.metadata.annotations.flotilla\\.dev/attempt}"))
                    .isEmpty();
        }
    }

    private static void abort(String task) {
        fleet.kubectl("", "patch", "ut", task, "--type", "merge", "-p", "{\"spec\":{\"phase\":\"Abort\"}}");
    }

    @Test
    void deletedMachineAbortsItsNodeUpgradeAndIsHeldUntilItsEnd() throws Exception {
        String hook = "{.metadata.annotations.pre-terminate\\.delete\\.hook\\.machine\\.cluster\\.x-k8s\\.io/flotilla}";
        setFinalizers("[\"example.org/host\"]");
        fleet.signalUpgrader("STOP");
        fleet.createTask("gone", "gone", "machines: [gone-workers-0]");
        fleet.await("the call", () -> !fleet.nodeUpgrades("gone").isEmpty());
        fleet.kubectl("", "delete", "machine", "gone-workers-0", "--wait=false");
        fleet.await("the abort", () -> fleet.nodeUpgrades("gone").getFirst().endsWith(" Abort"));
        assertThat(fleet.value("machine/gone-workers-0", hook)).isEqualTo("flotilla");
        fleet.signalUpgrader("CONT");
        fleet.await(
                "the release", () -> fleet.value("machine/gone-workers-0", hook).isEmpty());
        assertThat(fleet.nodeUpgrades("gone")).containsExactly("gone-workers-0 Aborted Abort");
        setFinalizers("null");
        fleet.await("the end", () -> fleet.phase("gone").equals("Completed"));
        assertThat(fleet.value("ut/gone", "{.status.machines[*].reason}")).isEqualTo("MachineDeleted");
        assertThat(fleet.nodeUpgrades("gone")).hasSize(1);
    }

    private static void setFinalizers(String finalizers) {
        fleet.kubectl(
                "",
                "patch",
                "machine",
                "gone-workers-0",
                "--type",
                "merge",
                "-p",
                "{\"metadata\": {\"finalizers\": " + finalizers + "}}");
    }
}
