package dev.flotilla.managementwatcher.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineStatus;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every waiting machine of a task shows the gate at which it waits, and what opens it. */
class TaskMachineGateTest {
    private static final String WORKERS = "'machineDeploymentRef': {'name': 'blue-workers'}";
    private static final String MEMBERS = "'controlPlaneRef': {'apiGroup': 'controlplane.cluster.x-k8s.io',"
            + " 'kind': 'KubeadmControlPlane', 'name': 'blue-cp'}";

    private static final String UPGRADER =
            ", 'upgraderRef': {'apiGroup': '%s', 'kind': 'NodeUpgradeTemplate', 'name': '%s'}";

    private final TaskScene scene = new TaskScene();

    private TaskScene workers() {
        return scene.machine("blue-w-0", "v1.35.1", "").machine("blue-w-1", "v1.35.1", "");
    }

    private TaskScene members() {
        return scene.machine("blue-cp-0", "v1.35.1", "").machine("blue-cp-1", "v1.35.1", "");
    }

    private String gate(String machine) {
        return gate("a", machine);
    }

    private String gate(String task, String machine) {
        TaskMachineStatus status = scene.settle().machineStatus(task, machine);
        return status.reason() + " " + status.gate() + ": " + status.needs();
    }

    @Test
    void anotherWorkerInFlightKeepsAWorkerAtClusterHealth() {
        workers().task("a", WORKERS).settle();
        scene.running("blue-w-0");
        assertThat(gate("blue-w-1"))
                .isEqualTo("Blocked cluster-health: blue-w-0 in flight: with this start too many workers of the cluster"
                        + " would be unavailable (maxUnavailable)");
    }

    @Test
    void anUnreadyWorkerKeepsAnotherAtClusterHealth() {
        scene.unready("blue-w-0");
        workers().task("a", "'machines': ['blue-w-1']");
        assertThat(gate("blue-w-1")).startsWith("Blocked cluster-health: blue-w-0 not Ready: ");
    }

    @Test
    void anotherMemberInFlightKeepsMembersAndWorkersAtClusterOrder() {
        workers();
        members().task("a", MEMBERS).task("b", WORKERS).settle();
        scene.running("blue-cp-0");
        String needs =
                "Blocked cluster-order: Control plane first, one at a time: control-plane machine blue-cp-0 is in"
                        + " flight";
        assertThat(gate("a", "blue-cp-1")).isEqualTo(needs);
        assertThat(gate("b", "blue-w-0")).isEqualTo(needs);
    }

    @Test
    void membersThatAreLeftKeepWorkersAtClusterOrder() {
        workers();
        members().task("a", MEMBERS).task("b", WORKERS).settle();
        scene.running("blue-cp-0").settle().ended("blue-cp-0", MachineOutcome.SUCCEEDED);
        assertThat(gate("b", "blue-w-0"))
                .isEqualTo("Blocked cluster-order: Control plane first, one at a time: the control plane is not at its"
                        + " target yet: blue-cp-1");
    }

    @Test
    void aQuarantinedMemberKeepsWorkersAtClusterOrder() {
        workers();
        members().task("a", MEMBERS).task("b", WORKERS).settle();
        scene.running("blue-cp-0").running("blue-cp-1").settle();
        scene.ended("blue-cp-0", MachineOutcome.QUARANTINED).step();
        assertThat(scene.get("b").status().machine("blue-w-0"))
                .extracting(TaskMachineStatus::needs)
                .asString()
                .endsWith("control-plane machine blue-cp-1 is in flight");
        scene.ended("blue-cp-1", MachineOutcome.SUCCEEDED).step();
        assertThat(scene.get("b").status().machine("blue-w-0"))
                .extracting(TaskMachineStatus::needs)
                .asString()
                .endsWith("control-plane machine blue-cp-0 is quarantined: skip it or retry it");
    }

    @Test
    void anUnreadyMemberKeepsAnotherAtClusterHealth() {
        scene.unready("blue-cp-1");
        members().task("a", "'machines': ['blue-cp-0']");
        assertThat(gate("blue-cp-0"))
                .isEqualTo("Blocked cluster-health: control-plane machine blue-cp-1 must be Ready");
    }

    @Test
    void whatHoldsTheObjectsIsShownWithItsGate() {
        workers()
                .hold("blue-w-0", "machine-not-eligible: MachineDeployment blue-workers is paused")
                .hold("blue-w-1", "cluster-health: Cluster blue is paused")
                .task("a", WORKERS);
        assertThat(gate("blue-w-0"))
                .isEqualTo("Blocked machine-not-eligible: MachineDeployment blue-workers is paused");
        assertThat(gate("blue-w-1")).isEqualTo("Blocked cluster-health: Cluster blue is paused");
    }

    @Test
    void whatOthersDoToAMachineKeepsItFromStarting() {
        scene.machine("blue-w-0", "v1.35.1", ", 'annotations': {'cluster.x-k8s.io/remediate-machine': ''}")
                .task("a", WORKERS);
        assertThat(gate("blue-w-0")).isEqualTo("Blocked machine-not-eligible: its remediation must end");
    }

    @Test
    void targetThatTheProviderCannotApplyIsRefusedWithTheReason() {
        scene.bootstrap("CK8sConfig");
        workers().task("a", WORKERS);
        String reason =
                "the Machine's provider is k8sd, which applies channel=, revision= and localPath=, and the target"
                        + " is version=v1.36.3: abort the task and use the annotation of the provider, or correct the provider in"
                        + " the policy (providers)";
        assertThat(gate("blue-w-0")).isEqualTo("ProviderCannotApply machine-not-eligible: " + reason);
        UpgradeTaskStatus.TaskCondition accepted = scene.condition("a", UpgradeTaskStatus.ACCEPTED);
        assertThat(accepted.status()).isEqualTo("False");
        assertThat(accepted.reason()).isEqualTo("ProviderCannotApply");
        assertThat(accepted.message()).isEqualTo("blue-w-0: " + reason);
    }

    @Test
    void taskWithAMachineThatCanHaveTheTargetIsAccepted() {
        scene.bootstrap("CK8sConfig").machine("blue-w-0", "v1.35.1", "");
        scene.bootstrap("KubeadmConfig").machine("blue-w-1", "v1.35.1", "").task("a", WORKERS);
        assertThat(gate("blue-w-0")).startsWith("ProviderCannotApply ");
        assertThat(scene.condition("a", UpgradeTaskStatus.ACCEPTED).status()).isEqualTo("True");
    }

    @Test
    void providerThatThePolicyCorrectsCounts() {
        scene.bootstrap("CK8sConfig");
        workers()
                .rules(List.of(), rule(UpgradeProvider.NODE_UPGRADE, "kubeadm"))
                .task("a", WORKERS);
        assertThat(gate("blue-w-0")).startsWith("Queued");
        scene.rules(List.of(), rule(UpgradeProvider.NONE, null));
        assertThat(gate("blue-w-0"))
                .startsWith("ProviderCannotApply machine-not-eligible: the Machine's provider is none");
    }

    @Test
    void machineWithoutATemplateIsShownWithTheRuleThatItNeeds() {
        workers().rules(List.of()).task("a", WORKERS);
        assertThat(gate("blue-w-0"))
                .isEqualTo("Blocked machine-not-eligible: no rule of the policy names the template of the Machine's"
                        + " NodeUpgrades: add a rule with a template to the policy (providers)");
    }

    @Test
    void targetThatThePolicyDoesNotAllowIsRefusedWithTheReason() {
        workers()
                .rules(List.of("version=v1.35.*"), rule(UpgradeProvider.NODE_UPGRADE, "kubeadm"))
                .task("a", WORKERS);
        assertThat(gate("blue-w-0"))
                .isEqualTo(
                        "TargetNotAllowed machine-not-eligible: the policy allows only the targets version=v1.35.* here,"
                                + " and the target is version=v1.36.3: abort the task, or allow its target in the policy"
                                + " (intents.targets)");
        assertThat(scene.condition("a", UpgradeTaskStatus.ACCEPTED).reason()).isEqualTo("TargetNotAllowed");
    }

    @Test
    void upgraderThatThePolicyNamesIsRequested() {
        workers()
                .rules(List.of(), rule(UpgradeProvider.NODE_UPGRADE, "kubeadm"))
                .task("a", WORKERS + UPGRADER.formatted("flotilla.dev", "kubeadm"));
        assertThat(gate("blue-w-0")).startsWith("Queued");
        assertThat(scene.intent("blue-w-0").upgrader())
                .isEqualTo(new NodeUpgraderRef("flotilla.dev", "NodeUpgradeTemplate", "kubeadm"));
    }

    @ParameterizedTest
    @CsvSource({"flotilla.dev, other", "example.org, kubeadm"})
    void upgraderThatThePolicyDoesNotNameIsRefusedWithTheWayOut(String group, String name) {
        workers()
                .rules(List.of(), rule(UpgradeProvider.NODE_UPGRADE, "kubeadm"), rule(UpgradeProvider.NONE, null))
                .task("a", WORKERS + UPGRADER.formatted(group, name));
        assertThat(gate("blue-w-0"))
                .isEqualTo(
                        "UpgraderNotAllowed machine-not-eligible: spec.upgraderRef 'NodeUpgradeTemplate." + group + " "
                                + name + "' is no template that the policy names for this site (providers): name one of"
                                + " 'NodeUpgradeTemplate.flotilla.dev kubeadm' or leave it out, in a new task; or add a rule with"
                                + " this template to the policy");
        UpgradeTaskStatus.TaskCondition accepted = scene.condition("a", UpgradeTaskStatus.ACCEPTED);
        assertThat(accepted.status()).isEqualTo("False");
        assertThat(accepted.reason()).isEqualTo("UpgraderNotAllowed");
        assertThat(accepted.message()).startsWith("blue-w-0: spec.upgraderRef");
    }

    @Test
    void refusedUpgraderIsAcceptedOnceThePolicyNamesIt() {
        workers().rules(List.of()).task("a", WORKERS + UPGRADER.formatted("flotilla.dev", "kubeadm"));
        assertThat(gate("blue-w-0")).contains("(providers): add a rule with this template");
        scene.rules(List.of(), rule(UpgradeProvider.NODE_UPGRADE, "kubeadm"));
        assertThat(gate("blue-w-0")).startsWith("Queued");
        assertThat(scene.condition("a", UpgradeTaskStatus.ACCEPTED).status()).isEqualTo("True");
    }

    private static ProviderRule rule(UpgradeProvider provider, @Nullable String template) {
        return new ProviderRule(
                List.of(),
                LabelSelector.ALL,
                provider,
                template == null
                        ? null
                        : new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", template));
    }

    @Test
    void versionRulesAreNamed() {
        workers().task("a", WORKERS + ", 'target': {'version': 'v1.37.0'}").task("b", WORKERS);
        assertThat(gate("blue-w-0"))
                .isEqualTo(
                        "Blocked machine-not-eligible: the Machine shows v1.35.1 and the target is 1.37.0: upgrade one"
                                + " minor version at a time");
    }

    @Test
    void downgradeNamesThePolicy() {
        workers().task("a", WORKERS + ", 'target': {'version': 'v1.34.2'}");
        assertThat(gate("blue-w-0")).endsWith("a downgrade needs intents.allowDowngrade in the policy");
    }

    @Test
    void workerWaitsForTheVersionOfItsControlPlane() {
        workers();
        members().task("a", WORKERS);
        assertThat(gate("blue-w-0"))
                .isEqualTo("Blocked machine-not-eligible: workers must not be newer than their control plane: upgrade"
                        + " blue-cp-0, blue-cp-1 first");
    }

    @Test
    void failedMachineShowsWhenItIsTriedAgainAndThatPasses() {
        scene.machine("blue-w-0", "v1.35.1", "").task("a", WORKERS).settle();
        scene.failedOnce("blue-w-0");
        assertThat(gate("blue-w-0")).isEqualTo("RetryPending backoff: the next attempt starts at 2026-01-02T03:05:05Z");
        assertThat(scene.plan().getFirst().recheckAt()).isEqualTo(TaskScene.NOW.plusSeconds(60));
        scene.passed(60);
        assertThat(gate("blue-w-0")).isEqualTo("RetryPending null: null");
    }

    @Test
    void deferredMachineShowsWhy() {
        scene.machine("blue-w-0", "v1.35.1", "").task("a", WORKERS).settle();
        scene.deferred("blue-w-0", "the cluster is paused");
        assertThat(gate("blue-w-0"))
                .isEqualTo("Blocked backoff: its worker deferred the start, because: the cluster is paused; the next"
                        + " attempt starts at 2026-01-02T03:05:05Z");
    }

    @Test
    void whatBlocksTheSiteGoesFirst() {
        workers()
                .hold("blue-w-0", "machine-not-eligible: x")
                .siteWaits("freeze: The fleet is frozen")
                .task("a", WORKERS);
        assertThat(gate("blue-w-0")).isEqualTo("Blocked freeze: The fleet is frozen");
    }
}
