package dev.flotilla.nodeupgrader.plans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.schemas.row.MachineRole;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The plans of {@code deploy/node-upgrader/plans}, with programs in place of the node's that note how they were called. */
class ShippedPlansTest {
    private static final String NEW = "v1.36.3";

    @TempDir
    private Path folder;

    private Path programs;
    private Path calls;

    /** The result of a step's command. */
    private record CommandResult(int exit, String output) {}

    @BeforeEach
    void fakePrograms() throws Exception {
        programs = Files.createDirectories(folder.resolve("bin"));
        calls = folder.resolve("calls");
        for (String name : List.of("kubeadm", "kubelet", "k3s", "rke2", "systemctl", "apt-get", "dpkg", "ctr")) {
            program(name, "echo " + name + " \"$@\" >>" + calls);
        }
    }

    private void program(String name, String script) throws Exception {
        Path file = programs.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static UpgradePlan plan(String name) throws Exception {
        return ShippedPlan.read(name);
    }

    private CommandResult run(PlanStep step, Map<String, String> more) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(step.command()).redirectErrorStream(true);
        builder.environment().clear();
        step.environment().forEach(each -> builder.environment().put(each.name(), each.value()));
        builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        builder.environment().put("PACKAGES", folder.resolve("packages").toString());
        builder.environment().put("FLOTILLA_VERSION", NEW);
        builder.environment().put("FLOTILLA_TARGET", "version=" + NEW);
        builder.environment().put("FLOTILLA_ROLE", "control-plane");
        builder.environment().put("FLOTILLA_NODE", "m-1");
        builder.environment()
                .put("FLOTILLA_MESSAGE_FILE", folder.resolve("message").toString());
        builder.environment().putAll(more);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CommandResult(process.waitFor(), output);
    }

    private CommandResult run(String planName, String step) throws Exception {
        return run(plan(planName).step(step).orElseThrow(), new TreeMap<>());
    }

    private Path packaged(String name) throws Exception {
        Path file = Files.writeString(
                Files.createDirectories(folder.resolve("packages/" + NEW)).resolve(name), "#!/bin/sh\n# " + NEW + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** Plays the API server that kubectl asks. */
    private void cluster(String configVersion, String annotations, int members) throws Exception {
        Path config = Files.writeString(
                folder.resolve("config"),
                "{\"data\":{\"ClusterConfiguration\":\"apiVersion: v\\nkubernetesVersion: " + configVersion
                        + "\\nnetworking: {}\\n\"}}");
        Path node = Files.writeString(folder.resolve("node"), "{\"metadata\":{\"annotations\":{" + annotations + "}}}");
        Path nodes = Files.writeString(
                folder.resolve("nodes"), "{\"items\":[" + "{\"kubeletVersion\":\"v1.36.1\"},".repeat(members) + "]}");
        program("kubectl", """
                for path; do :; done
                case $path in
                  */kubeadm-config) cat %s ;;
                  */nodes/m-1) cat %s ;;
                  *) cat %s ;;
                esac""".formatted(config, node, nodes));
    }

    /** The node's shell may be dash, bash or busybox; the scripts use nothing that one of them lacks. */
    @ParameterizedTest
    @ValueSource(strings = {"kubeadm", "k3s", "rke2", "example", "os-packages"})
    void everyScriptIsAShellScript(String name) throws Exception {
        UpgradePlan plan = plan(name);
        assertThat(plan.steps()).isNotEmpty();
        for (PlanStep step : plan.steps()) {
            if (step.command().get(1).equals("-c")) {
                Process process = new ProcessBuilder(
                                "sh", "-n", "-c", step.command().get(2))
                        .redirectErrorStream(true)
                        .start();
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(step.name() + ": " + output).isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v1.36.3 | '' | 3 | 0 | kubeadm upgrade node",
                "v1.36.3 | '\"cluster.x-k8s.io/owner-kind\":\"KubeadmControlPlane\"' | 3 | 0 | kubeadm upgrade node",
                "v1.36.1 | '' | 3 | 0 | kubeadm upgrade apply v1.36.3 --yes",
                "v1.36.1 | '\"cluster.x-k8s.io/owner-kind\":\"KubeadmControlPlane\"' | 3 | 20 | ''",
                "v1.36.1 | '\"cluster.x-k8s.io/owner-kind\":\"KubeadmControlPlane\"' | 1 | 0 |"
                        + " kubeadm upgrade apply v1.36.3 --yes",
                "none | '' | 3 | 10 | ''"
            })
    void kubeadmAppliesOnTheFirstMemberUnlessTheVersionIsThere(
            String configured, String annotations, int members, int exit, String call) throws Exception {
        cluster(configured, annotations, members);
        CommandResult result = run("kubeadm", "control-plane");
        assertThat(result.exit()).as(result.output()).isEqualTo(exit);
        assertThat(Files.exists(calls) ? Files.readString(calls).strip() : "").isEqualTo(call);
    }

    @Test
    void kubeadmWaitsForAnApiServerThatIsAway() throws Exception {
        cluster("v1.36.3", "", 1);
        Path away = Files.createFile(folder.resolve("away"));
        program("kubectl", "[ ! -f " + away + " ] || exit 1; cat " + folder.resolve("config"));
        program("sleep", "rm -f " + away);
        assertThat(run("kubeadm", "control-plane").exit()).isZero();
        assertThat(Files.readString(calls)).isEqualTo("kubeadm upgrade node\n");
    }

    @Test
    void kubeadmGivesUpAnApiServerThatIsAwayForLong() throws Exception {
        PlanStep step = plan("kubeadm").step("control-plane").orElseThrow();
        program("kubectl", "exit 1");
        assertThat(run(step, Map.of("API_SECONDS", "0")).exit()).isEqualTo(20);
        cluster("v1.36.1", "", 3);
        program("kubectl", "case $* in *kubeadm-config) cat " + folder.resolve("config") + " ;; *) exit 1 ;; esac");
        assertThat(run(step, Map.of("API_SECONDS", "0")).exit()).isEqualTo(20);
        assertThat(calls).doesNotExist();
    }

    @Test
    void kubeletTakesTheNameOfTheOldOneAndIsRestartedEveryTime() throws Exception {
        packaged("kubelet");
        assertThat(run("kubeadm", "kubelet").exit()).isZero();
        assertThat(programs.resolve("kubelet")).content().contains(NEW);
        assertThat(Files.readAllLines(calls)).containsExactly("systemctl daemon-reload", "systemctl restart kubelet");
        assertThat(run("kubeadm", "kubelet").exit()).as("once more").isZero();
        assertThat(programs.resolve("kubelet")).content().contains(NEW);
    }

    @Test
    void jobsThatAKilledKubeadmLeavesAreRemovedAndNoOthers() throws Exception {
        Files.writeString(folder.resolve("admin.conf"), "");
        Path jobs = Files.writeString(folder.resolve("jobs"), """
                {"items":[{"metadata":{"name":"upgrade-health-check-1764150000123","labels":{"job-name":"upgrade-health-check-9"}}},
                {"metadata":{"name":"backup-1"}}]}""");
        program(
                "kubectl",
                "case $* in *' get '*) cat %s ;; *) echo kubectl \"$@\" >>%s ;; esac".formatted(jobs, calls));
        PlanStep step = plan("kubeadm").step("health-checks").orElseThrow();
        CommandResult result = run(step, Map.of("KUBERNETES", folder.toString()));
        assertThat(result.exit()).as(result.output()).isZero();
        assertThat(Files.readAllLines(calls))
                .singleElement()
                .asString()
                .endsWith("delete --raw /apis/batch/v1/namespaces/kube-system/jobs/upgrade-health-check-1764150000123"
                        + "?propagationPolicy=Background");
        assertThat(run(step, Map.of("KUBERNETES", "/nowhere")).exit()).isZero();
    }

    @Test
    void membersMoveTheirLeadershipAwayBeforeKubeadmTouchesThem() throws Exception {
        assertThat(stepNames(MachineRole.CONTROL_PLANE))
                .containsExactly("fetch", "kubeadm", "etcd-leader", "control-plane", "kubelet", "health-checks");
        assertThat(stepNames(MachineRole.WORKER)).containsExactly("fetch", "kubeadm", "worker", "kubelet");
    }

    private static List<String> stepNames(MachineRole role) throws Exception {
        return plan("kubeadm").steps().stream()
                .filter(step -> step.roles().contains(role))
                .map(PlanStep::name)
                .toList();
    }

    @Test
    void kubeadmOfTheTargetIsInstalledFirst() throws Exception {
        packaged("kubeadm");
        assertThat(run("kubeadm", "kubeadm").exit()).isZero();
        assertThat(programs.resolve("kubeadm")).content().contains(NEW);
    }

    @Test
    void nothingIsFetchedWhereThePackagesAre() throws Exception {
        packaged("kubeadm");
        packaged("kubelet");
        packaged("k3s");
        program("curl", "echo curl >>" + calls);
        Files.createDirectories(folder.resolve("packages/" + NEW + "/images"));
        Files.writeString(folder.resolve("packages/" + NEW + "/images/a.tar"), "");
        assertThat(run("kubeadm", "fetch").exit()).isZero();
        assertThat(Files.readString(calls))
                .isEqualTo("ctr -n k8s.io images import " + folder.resolve("packages/" + NEW + "/images/a.tar") + "\n");
        assertThat(run("k3s", "fetch").exit()).isZero();
        assertThat(Files.readString(calls)).doesNotContain("curl");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubeadm", "k3s", "rke2"})
    void fetchedProgramMustHaveItsSum(String planName) throws Exception {
        program("curl", """
                for url; do :; done
                case $url in *sha256*) echo "0123  $url" ;; *) while [ "$1" != -o ]; do shift; done; echo program >"$2" ;; esac""");
        CommandResult result = run(planName, "fetch");
        assertThat(result.exit()).as(result.output()).isEqualTo(10);
        assertThat(Files.readString(folder.resolve("message"))).contains("SHA-256");
        program("curl", "exit 22");
        assertThat(run(planName, "fetch").exit()).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubeadm", "k3s", "rke2"})
    void targetWithoutAVersionIsRefusedForGood(String planName) throws Exception {
        CommandResult result = run(plan(planName).step("fetch").orElseThrow(), Map.of("FLOTILLA_VERSION", ""));
        assertThat(result.exit()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({
        "k3s, control-plane, k3s",
        "k3s, worker, k3s-agent",
        "rke2, control-plane, rke2-server",
        "rke2, worker, rke2-agent"
    })
    void programIsReplacedAndItsUnitRestarted(String name, String role, String unit) throws Exception {
        packaged(name);
        CommandResult result = run(plan(name).step("restart").orElseThrow(), Map.of("FLOTILLA_ROLE", role));
        assertThat(result.exit()).as(result.output()).isZero();
        assertThat(programs.resolve(name)).content().contains(NEW);
        assertThat(Files.readString(calls)).isEqualTo("systemctl restart " + unit + "\n");
    }

    /** From a release's archive, as curl would bring it, to the program that the next step installs. */
    @Test
    void rke2IsTakenOutOfTheArchiveOfItsRelease() throws Exception {
        program("release/bin/rke2", "# " + NEW);
        Path archive = folder.resolve("rke2.tar.gz");
        assertThat(new ProcessBuilder(
                                "tar",
                                "-czf",
                                archive.toString(),
                                "-C",
                                programs.resolve("release").toString(),
                                "bin")
                        .start()
                        .waitFor())
                .isZero();
        program("curl", """
                for url; do :; done
                case $url in
                  *sha256*) sum=$(sha256sum <%1$s) && for arch in amd64 arm64; do echo "${sum%%%% *}  rke2.linux-$arch.tar.gz"; done ;;
                  *) while [ "$1" != -o ]; do shift; done; cp %1$s "$2" ;;
                esac""".formatted(archive));
        assertThat(run("rke2", "fetch").exit()).isZero();
        assertThat(folder.resolve("packages/" + NEW + "/rke2"))
                .isExecutable()
                .content()
                .contains(NEW);
        assertThat(folder.resolve("packages/" + NEW)).isDirectoryNotContaining("glob:**/bin");
    }

    @Test
    void packagesAreInstalledBeforeTheReboot() throws Exception {
        UpgradePlan plan = plan("os-packages");
        assertThat(plan.steps()).extracting(PlanStep::name).containsExactly("download", "install", "reboot");
        assertThat(plan.steps()).extracting(PlanStep::reboots).containsExactly(false, false, true);
        assertThat(run("os-packages", "install").exit()).isZero();
        assertThat(Files.readString(calls)).contains("dpkg --configure -a", "dist-upgrade");
    }
}
