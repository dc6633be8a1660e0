package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.helm.HelmBinary;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every helm command of docs/install.md, in the order of the page and with its values, against a real API server: fleet, kinds and
 * site are installed, changed, rolled back and removed. No pod runs.
 */
@Tag("nightly")
@EnabledIf(value = HelmBinary.PRESENT, disabledReason = HelmBinary.MISSING)
class ChartLifecycleIT {
    private static final Pattern VALUES = Pattern.compile("```yaml\n *# (\\w+\\.yaml)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND = Pattern.compile("^ *\\$ helm (.*)$", Pattern.MULTILINE);

    private static final String COMPLETE = """
        {"status": {"succeeded": 1, "startTime": "2026-01-01T00:00:00Z", "completionTime": "2026-01-01T00:00:09Z", "conditions": [
          {"type": "SuccessCriteriaMet", "status": "True", "reason": "CompletionsReached"},
          {"type": "Complete", "status": "True", "reason": "CompletionsReached"}]}}\
        """;

    private static final String FAILED = """
        {"status": {"failed": 1, "startTime": "2026-01-01T00:00:00Z", "conditions": [
          {"type": "FailureTarget", "status": "True", "reason": "PodFailurePolicy"},
          {"type": "Failed", "status": "True", "reason": "PodFailurePolicy"}]}}\
        """;

    @TempDir
    private Path folder;

    private KubeCluster cluster;
    private StrictKubectl kubectl;

    @BeforeEach
    void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer());
        kubectl = new StrictKubectl(cluster, folder);
        for (String namespace : List.of("flotilla", "fleet", "kafka")) {
            kubectl("create", "namespace", namespace);
        }
        kubectl("label", "namespace", "flotilla", "pod-security.kubernetes.io/enforce=restricted");
        kubectl("apply", "--server-side", "-f", StrictKubectl.FOREIGN_KINDS);
        kubectl(StrictKubectl.AWAIT_KINDS.toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void commandsOfTheInstallPageWork() throws Exception {
        String page = Files.readString(CliResult.ROOT.resolve("docs/install.md"));
        List<String> done = new ArrayList<>();
        for (String line : commands(page, false)) {
            if (line.startsWith("upgrade flotilla-site")) {
                assertThat(replicasOfTheWorker()).isEqualTo("2");
                Files.writeString(
                        folder.resolve("site.yaml"),
                        Files.readString(folder.resolve("site.yaml")) + "worker: {replicas: 3}\n");
            }
            CliResult said = line.startsWith("upgrade flotilla-fleet") ? upgradeFleet(line, COMPLETE) : helm(line);
            assertThat(said.exit()).as("helm %s: %s", line, said.all()).isZero();
            if (line.startsWith("template")) {
                assertThat(DeployedObject.parse("strimzi", said.out()))
                        .extracting(each -> each.at("metadata/name"))
                        .contains("flotilla.commands.east", "flotilla-watcher-east", "flotilla-worker-east");
            } else if (line.startsWith("install")) {
                assertThat(said.out()).as("its notes").contains("\nNOTES:\n").doesNotContain("<no value>");
            } else if (line.startsWith("upgrade flotilla-site")) {
                assertThat(replicasOfTheWorker()).isEqualTo("3");
            } else if (line.startsWith("rollback flotilla-site")) {
                assertThat(replicasOfTheWorker()).isEqualTo("2");
            }
            done.add(line.substring(0, line.indexOf(' ', line.indexOf(' ') + 1)));
        }
        assertThat(done)
                .containsSubsequence("install flotilla-fleet", "install flotilla-crds", "install flotilla-site")
                .containsSubsequence("upgrade flotilla-site", "rollback flotilla-site")
                .endsWith("uninstall flotilla-site", "uninstall flotilla-crds", "uninstall flotilla-fleet");
        nothingIsLeftThatRuns();
    }

    /** The release stays as it is, and so does the Job, for its log. */
    @Test
    void upgradeFailsIfTheCheckBeforeItFails() throws Exception {
        List<String> commands = commands(Files.readString(CliResult.ROOT.resolve("docs/install.md")), false);
        String install = startingWith(commands, "install flotilla-fleet");
        assertThat(helm(install).exit()).isZero();
        CliResult said = upgradeFleet(
                startingWith(commands, "upgrade flotilla-fleet") + " --set orchestrator.replicas=3", FAILED);
        assertThat(said.exit()).as(said.all()).isEqualTo(1);
        assertThat(Files.readString(CliResult.ROOT.resolve("docs/install.md")))
                .contains(said.err().lines().limit(2).toList());
        assertThat(kubectl(
                        "get",
                        "deployment",
                        "flotilla-orchestrator",
                        "-n",
                        "flotilla",
                        "-o",
                        "jsonpath={.spec.replicas}"))
                .isEqualTo("2");
        assertThat(kubectl("get", "jobs", "-n", "flotilla", "-o", "name")).contains("flotilla-upgrade-check");
    }

    private static String startingWith(List<String> commands, String begin) {
        return commands.stream()
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElseThrow();
    }

    private CliResult helm(String line) {
        return HelmChart.helm(cluster.kubeconfig(), folder, List.of(line.split(" ", -1)));
    }

    /** Upgrades a fleet, and writes the status of the Job before it, since no pod runs. */
    private CliResult upgradeFleet(String line, String conditions) throws Exception {
        CompletableFuture<CliResult> upgrade = CompletableFuture.supplyAsync(() -> helm(line));
        while (!upgrade.isDone()
                && kubectl.runAsIs(List.of("get", "job", "flotilla-upgrade-check", "-n", "flotilla"))
                                .exit()
                        != 0) {
            // kubectl takes a moment.
        }
        kubectl(
                "patch",
                "job",
                "flotilla-upgrade-check",
                "-n",
                "flotilla",
                "--subresource=status",
                "--type=merge",
                "-p",
                conditions);
        return upgrade.get();
    }

    @Test
    void adoptsThePlainManifestsWherePodsRun() throws Exception {
        kubectl(
                "apply",
                "--server-side",
                "-f",
                "deploy/namespace.yaml",
                "-f",
                "deploy/orchestrator",
                "-f",
                "deploy/auditor");
        String before = uidOfTheOrchestrator();
        List<String> commands = commands(Files.readString(CliResult.ROOT.resolve("docs/install.md")), true);
        assertThat(commands).hasSize(1);
        CliResult said = HelmChart.helm(
                cluster.kubeconfig(), folder, List.of(commands.getFirst().split(" ", -1)));
        assertThat(said.exit()).as(said.all()).isZero();
        assertThat(uidOfTheOrchestrator()).isEqualTo(before);
        assertThat(kubectl("get", "deployments", "-n", "flotilla", "-o", "name").lines())
                .containsExactlyInAnyOrder("deployment.apps/flotilla-orchestrator", "deployment.apps/flotilla-auditor");
    }

    /**
     * Writes the values of the page, and returns its commands of helm without that word and without what reads their output: those that
     * adopt objects, or the others.
     */
    private List<String> commands(String page, boolean adopting) throws Exception {
        for (MatchResult values : VALUES.matcher(page).results().toList()) {
            Files.writeString(folder.resolve(values.group(1)), values.group(2).stripIndent());
        }
        return COMMAND.matcher(page)
                .results()
                .map(found -> found.group(1).replaceFirst(" \\| kubectl .*", ""))
                .filter(line -> line.contains("--take-ownership") == adopting)
                .toList();
    }

    private String uidOfTheOrchestrator() throws Exception {
        return kubectl(
                "get", "deployment", "flotilla-orchestrator", "-n", "flotilla", "-o", "jsonpath={.metadata.uid}");
    }

    private void nothingIsLeftThatRuns() throws Exception {
        assertThat(kubectl("get", "deployments,services,networkpolicies,configmaps", "-n", "flotilla", "-o", "name")
                        .lines())
                .noneMatch(line -> line.contains("flotilla"));
        assertThat(kubectl("get", "clusterroles,clusterrolebindings,validatingadmissionpolicies", "-o", "name"))
                .doesNotContain("flotilla");
        assertThat(kubectl("get", "kafkausers", "-n", "kafka", "-o", "name")).isBlank();
        assertThat(kubectl("get", "kafkatopics", "-n", "kafka", "-o", "name")).contains("flotilla.journal");
        assertThat(kubectl("get", "customresourcedefinitions", "-o", "name")).contains("upgradetasks.flotilla.dev");
        assertThat(kubectl("get", "configmaps", "-n", "fleet", "-o", "name"))
                .contains("blue-flotilla-pins", "green-flotilla-pins");
    }

    private String replicasOfTheWorker() throws Exception {
        return kubectl(
                "get", "deployment", "flotilla-node-worker", "-n", "flotilla", "-o", "jsonpath={.spec.replicas}");
    }

    private String kubectl(String... arguments) throws Exception {
        CliResult said = kubectl.runAsIs(List.of(arguments));
        assertThat(said.exit()).as(said.all()).isZero();
        return said.out();
    }
}
