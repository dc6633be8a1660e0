package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.UpgradeTaskBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.managementwatcher.stub.WatcherTestBed;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends, deletions, refusals and garbage of UpgradeTasks at a real API server. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class UpgradeTaskEdgesIT {
    private static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.34.1");
    private static final String FAILED = "flotilla.dev/UpgradeFailed";

    /** Values that the definition lets through; each is shown with the field. */
    private static final Map<String, String> GARBAGE = Map.of(
            "g-owner",
            "'machineDeploymentRef': {'name': 'A B'} | spec.machineDeploymentRef.name 'A B'",
            "g-plane",
            "'controlPlaneRef': {'apiGroup': 'a', 'kind': 'K', 'name': '../x'} | spec.controlPlaneRef.name '../x'",
            "g-machine",
            "'machines': ['ok', 'M_1'] | spec.machines '\"M_1\"'",
            "g-group",
            "'machines': ['m'], 'upgraderRef': {'apiGroup': 'a/b', 'kind': 'K', 'name': 'u'}"
                    + " | spec.upgraderRef.apiGroup 'a/b'",
            "g-kind",
            "'machines': ['m'], 'upgraderRef': {'apiGroup': 'a', 'kind': 'k 1', 'name': 'u'}"
                    + " | spec.upgraderRef.kind 'k 1'",
            "g-name",
            "'machines': ['m'], 'upgraderRef': {'apiGroup': 'a', 'kind': 'K', 'name': '-u'}"
                    + " | spec.upgraderRef.name '-u'");

    private static WatcherTestBed watched;
    private static ManagementTestBed bed;
    private static UpgradeTaskBed tasks;

    @BeforeAll
    static void start() throws Exception {
        watched = WatcherTestBed.start();
        bed = watched.bed();
        tasks = UpgradeTaskBed.install(bed);
    }

    @AfterAll
    static void stop() {
        watched.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void abortOfATaskThatHasEndedChangesNothing(boolean succeeded) throws Exception {
        String name = succeeded ? "completed" : "failed";
        applyMachine(name, "");
        try (WatchedTestSite site = watched.site(name)) {
            site.startWatcher("a");
            tasks.createTask(name, spec(name, ""));
            runToEnd(site, name, succeeded);
            String phase = succeeded ? "Completed" : "Failed";
            site.await("the end", () -> phase.equals(tasks.phase(name)));
            tasks.abort(name);
            assertThat(site.awaitNextHeartbeat()).isNotNull();
            assertThat(tasks.phase(name)).isEqualTo(phase);
            site.await("no owner", () -> tasks.owner(name) == null);
            assertThat(tasks.upToDate(name)).isEqualTo(succeeded ? "Ready" : "Failed");
            tasks.delete(name);
            site.await("its deletion", () -> tasks.read(name) == null);
            assertThat(bed.readObject("machines", name).uid()).isNotEmpty();
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void expiredTaskIsDeletedAndItsMachineStays() throws Exception {
        applyMachine("expires", "");
        try (WatchedTestSite site = watched.site("expires")) {
            site.startWatcher("a");
            tasks.createTask("expires", spec("expires", ", 'ttlSecondsAfterFinished': 1"));
            runToEnd(site, "expires", true);
            site.await("its deletion", () -> tasks.read("expires") == null);
            assertThat(tasks.owner("expires")).isNull();
            assertThat(tasks.upToDate("expires")).isEqualTo("Ready");
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void taskWhoseFinalizerIsRemovedByForceLeavesItsMachineOnlyWhenNothingRuns() throws Exception {
        applyMachine("forced", "");
        try (WatchedTestSite site = watched.site("forced")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine("forced");
            tasks.createTask("forced", spec("forced", ""));
            RolloutRef rollout = FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(machine));
            orchestrator.admitAttempt(machine, rollout, TARGET);
            site.await("the start", () -> "InProgress".equals(tasks.phase("forced")));
            tasks.delete("forced");
            tasks.removeFinalizers("forced");
            site.await("its deletion", () -> tasks.read("forced") == null);
            site.await("the intent's end", () -> site.readIntent(machine) == null);
            assertThat(tasks.owner("forced")).isNotNull();
            orchestrator.reportSuccess(machine, rollout);
            site.await("no owner", () -> tasks.owner("forced") == null);
            assertThat(tasks.upToDate("forced")).isEmpty();
            assertThat(bed.readObject("machines", "forced").uid()).isNotEmpty();
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void machineThatIsBeingDeletedIsAwaitedUntilItIsGone() throws Exception {
        applyMachine("leaving", ", finalizers: [example.org/host]");
        try (WatchedTestSite site = watched.site("leaving")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine("leaving");
            tasks.createTask("leaving", spec("leaving", ""));
            orchestrator.admitAttempt(
                    machine, FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(machine)), TARGET);
            site.await("the start", () -> "InProgress".equals(tasks.phase("leaving")));
            bed.cluster.delete(ManagementTestBed.path("machines", "leaving"));
            assertThat(site.awaitNextHeartbeat()).isNotNull();
            assertThat(tasks.states("leaving")).containsExactly("leaving InProgress Admitted");
            bed.cluster.merge(ManagementTestBed.path("machines", "leaving"), "{\"metadata\": {\"finalizers\": null}}");
            site.await("the end", () -> "Completed".equals(tasks.phase("leaving")));
            assertThat(tasks.states("leaving")).containsExactly("leaving Skipped MachineDeleted");
        }
    }

    @Test
    void garbageThatTheDefinitionLetsThroughFailsWithItsValueAndBreaksNothingElse() throws Exception {
        applyMachine("sound", "");
        try (WatchedTestSite site = watched.site("sound")) {
            site.startWatcher("a");
            GARBAGE.forEach((name, garbage) -> {
                String fields = garbage.substring(0, garbage.indexOf(" | "));
                String target = fields.contains("'target'") ? "" : "'target': {'version': 'v1.34.1'}, ";
                tasks.createTask(name, "{'clusterName': 'sound', " + target + fields + "}");
            });
            tasks.createTask("sound", spec("sound", ""));
            GARBAGE.forEach((name, garbage) -> {
                site.await("the end of " + name, () -> "Failed".equals(tasks.phase(name)));
                assertThat(tasks.condition(name, "Accepted"))
                        .startsWith("InvalidSpec: " + garbage.substring(garbage.indexOf(" | ") + 3));
                assertThat(Objects.requireNonNull(tasks.read(name)).texts("metadata", "finalizers"))
                        .isEmpty();
            });
            runToEnd(site, "sound", true);
            site.await("the end", () -> "Completed".equals(tasks.phase("sound")));
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void upgraderIsRefusedUntilThePolicyNamesIt() throws Exception {
        applyMachine("upgrader", "");
        try (WatchedTestSite site = watched.site("upgrader")) {
            site.write(SiteStatus.of(site.id).withRules(rules(List.of(), "kubeadm")));
            site.startWatcher("a");
            tasks.createTask(
                    "upgrader",
                    spec(
                            "upgrader",
                            ", 'upgraderRef': {'apiGroup': 'flotilla.dev', 'kind': 'NodeUpgradeTemplate', 'name': 'root'}"));
            site.await(
                    "the refusal",
                    () -> tasks.condition("upgrader", "Accepted")
                            .startsWith(
                                    "UpgraderNotAllowed: upgrader: spec.upgraderRef 'NodeUpgradeTemplate.flotilla.dev root'"));
            assertThat(tasks.states("upgrader")).containsExactly("upgrader Waiting UpgraderNotAllowed");
            site.await(
                    "the reason on the Machine",
                    () -> messageOf("upgrader", "MachineUpToDate")
                            .contains("name one of 'NodeUpgradeTemplate.flotilla.dev kubeadm'"));
            site.await(
                    "its Event",
                    () -> bed.readEvents("upgrader").stream()
                            .anyMatch(event ->
                                    event.startsWith("Warning UpgradeTaskRejected upgrader: spec.upgraderRef")));
            UpgradeIntent intent = new FakeOrchestrator(site).awaitIntent(site.machine("upgrader"));
            assertThat(intent.upgrader()).isEqualTo(new NodeUpgraderRef("flotilla.dev", "NodeUpgradeTemplate", "root"));
            site.write(SiteStatus.of(site.id).withRules(rules(List.of(), "root")));
            site.await(
                    "the end of the refusal",
                    () -> tasks.condition("upgrader", "Accepted").startsWith("Accepted"));
            assertThat(site.readIntent(site.machine("upgrader"))).isEqualTo(intent);
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"revision=7", "version=v1.35.0"})
    void rejectedAnnotationShowsTheReasonOnItsMachine(String target) throws Exception {
        String name = target.startsWith("version") ? "no-version" : "no-revision";
        applyMachine(name, "");
        try (WatchedTestSite site = watched.site(name)) {
            site.write(SiteStatus.of(site.id).withRules(rules(List.of("version=v1.34.*", "revision=*"), "kubeadm")));
            site.startWatcher("a");
            bed.annotate("machines", name, "flotilla.dev/upgrade-to", target);
            String reason = target.startsWith("version")
                    ? "allows only these targets in intents.targets: version=v1.34.*, revision=*"
                    : "the provider of Machine " + name + " is node-upgrade, which applies version= and spec=";
            site.await("failed", () -> "failed".equals(bed.readUpgradeAnnotation(name, "status")));
            site.await(
                    "the condition",
                    () -> messageOf(name, "InPlaceUpgradeStatus").contains(reason));
            site.await(
                    "the Event",
                    () -> bed.readEvents(name).stream()
                            .anyMatch(event ->
                                    event.startsWith("Warning InPlaceUpgradeFailed") && event.contains(reason)));
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void finalFailureIsShownInAConditionUntilTheNextSuccess(boolean byTask) throws Exception {
        String name = byTask ? "broken-task" : "broken";
        applyMachine(
                name,
                byTask ? ", annotations: {in-place-updates.internal.cluster.x-k8s.io/update-in-progress: ''}" : "");
        try (WatchedTestSite site = watched.site(name)) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            if (byTask) {
                tasks.createTask(name, spec(name, ""));
            } else {
                bed.annotate("machines", name, "flotilla.dev/upgrade-to", TARGET.text());
            }
            RolloutRef rollout = FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(site.machine(name)));
            orchestrator.admitAttempt(site.machine(name), rollout, TARGET);
            orchestrator.reportFailure(site.machine(name), rollout, "no space left");
            site.await("the condition", () -> messageOf(name, FAILED).contains("no space left"));
            assertThat(bed.readObject("machines", name).isCondition(FAILED, "True"))
                    .isTrue();
            assertThat(bed.readObject("machines", name).isCondition("NodeReady", "True"))
                    .isTrue();
            if (!byTask) {
                orchestrator.runUpgrade(site.machine(name), rollout, TARGET);
                site.await(
                        "no condition", () -> bed.readObject("machines", name).condition(FAILED) == null);
            }
            assertThat(site.failedWrites).isEmpty();
        }
    }

    private static void runToEnd(WatchedTestSite site, String name, boolean succeeds) {
        FakeOrchestrator orchestrator = new FakeOrchestrator(site);
        RolloutRef rollout = FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(site.machine(name)));
        orchestrator.admitAttempt(site.machine(name), rollout, TARGET);
        site.await("its start", () -> "InProgress".equals(tasks.phase(name)));
        if (succeeds) {
            orchestrator.reportSuccess(site.machine(name), rollout);
        } else {
            orchestrator.reportFailure(site.machine(name), rollout, "no space left");
        }
    }

    private static String messageOf(String machine, String type) {
        KubeObject condition = bed.readObject("machines", machine).condition(type);
        return condition == null ? "" : Objects.requireNonNullElse(condition.text("message"), "");
    }

    private static SiteAnnotationRules rules(List<String> targets, String template) {
        return new SiteAnnotationRules(
                List.of(),
                targets,
                List.of(new ProviderRule(
                        List.of(),
                        LabelSelector.ALL,
                        UpgradeProvider.NODE_UPGRADE,
                        new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", template))));
    }

    private static String spec(String name, String more) {
        return "{'clusterName': '%1$s', 'machines': ['%1$s'], 'target': {'version': 'v1.34.1'}%2$s}"
                .formatted(name, more);
    }

    private static void applyMachine(String name, String metadata) {
        bed.cluster(name);
        bed.applyMachine(name, name, ", labels: {flotilla.dev/provider: node-upgrade}" + metadata);
    }
}
