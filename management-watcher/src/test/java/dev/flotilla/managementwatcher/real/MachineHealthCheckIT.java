package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.RemediatedCluster;
import dev.flotilla.managementwatcher.stub.SixtyfoldClock;
import dev.flotilla.managementwatcher.stub.UpgradeTaskBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.managementwatcher.stub.WatcherTestBed;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The MachineHealthCheck controller of Cluster API replaces a machine whose upgrade has failed for good, as the watcher shows it; the test
 * writes the orchestrator's rows and the worker's guards.
 */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class MachineHealthCheckIT {
    private static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.35.2");
    private static final RolloutRef CAMPAIGN = new RolloutRef.CampaignRef(new CampaignName("to-1-35-2"), 1);
    private static final String UPGRADE_FAILED = "flotilla.dev/UpgradeFailed";
    private static final List<String> GUARDS =
            List.of(AnnotationKeys.SKIP_REMEDIATION, AnnotationKeys.TERMINATION_HOOK);

    private static RemediatedCluster blue;
    private static WatcherTestBed watched;
    private static UpgradeTaskBed tasks;

    @BeforeAll
    static void start() throws Exception {
        blue = RemediatedCluster.start();
        watched = new WatcherTestBed(LocalKafka.start(), blue.bed);
        tasks = UpgradeTaskBed.install(blue.bed);
    }

    @AfterAll
    static void stop() {
        blue.close();
        watched.close();
    }

    @Test
    void replacesTheWorkerWhoseUpgradeFailedForGoodAndNoOther() throws Exception {
        try (WatchedTestSite site = watched.site("workers")) {
            site.startWatcher("a");
            blue.applyHealthChecks(site);
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            List<KubeObject> workers = blue.machines(RemediatedCluster.WORKERS);
            KubeObject failed = workers.get(0);
            KubeObject succeeded = workers.get(1);
            KubeObject kept = workers.get(2);
            tasks.createTask(
                    "blue",
                    "{'clusterName': 'blue', 'machines': ['%s', '%s'], 'target': {'version': 'v1.35.2'}}"
                            .formatted(failed.name(), succeeded.name()));
            RolloutRef ofFailed = FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(key(site, failed)));
            RolloutRef ofSucceeded = FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(key(site, succeeded)));

            guard(failed, orchestrator.admitAttempt(key(site, failed), ofFailed, TARGET));
            site.await("a guarded worker", () -> Long.valueOf(2).equals(blue.countCheckedWorkers()));
            orchestrator.runUpgrade(key(site, succeeded), ofSucceeded, TARGET);
            site.await("its success", () -> tasks.upToDate(succeeded.name()).equals("Ready"));

            blue.bed.annotate("machines", kept.name(), AnnotationKeys.SKIP_REMEDIATION, "by an operator");
            fail(site, orchestrator, kept);

            orchestrator.reportFailure(key(site, failed), ofFailed, "no space left");
            blue.awaitDeleted(site, failed);
            site.await("the end of the task", () -> "Failed".equals(tasks.phase("blue")));
            assertThat(blue.exists(succeeded)).isTrue();
            assertThat(blue.exists(kept)).isTrue();
            assertThat(blue.reason(kept, "OwnerRemediated")).isNull();

            blue.bed.annotate("machines", kept.name(), AnnotationKeys.SKIP_REMEDIATION, null);
            blue.awaitDeleted(site, kept);
            blue.awaitHealthy(site);
            assertThat(blue.exists(succeeded)).isTrue();
            assertThat(tasks.upToDate(succeeded.name())).isEqualTo("Ready");
        }
    }

    @Test
    void replacesTheControlPlaneMachineWhoseUpgradeFailedForGoodAndNoOther() throws Exception {
        try (WatchedTestSite site = watched.site("members")) {
            site.startWatcher("a");
            blue.applyHealthChecks(site);
            List<KubeObject> members = blue.machines(RemediatedCluster.CONTROL_PLANE);
            fail(site, new FakeOrchestrator(site), members.getFirst());
            blue.awaitDeleted(site, members.getFirst());
            blue.awaitHealthy(site);
            assertThat(members.stream().filter(blue::exists)).containsExactlyElementsOf(members.subList(1, 3));
        }
    }

    @Test
    void attemptThatGoesOnDoesNotHoldADeletedMachineForever() throws Exception {
        SixtyfoldClock clock = new SixtyfoldClock();
        try (WatchedTestSite site = watched.site("held")) {
            site.startWatcher("a", clock);
            blue.applyHealthChecks(site);
            KubeObject worker = blue.machines(RemediatedCluster.WORKERS).getFirst();
            guard(worker, new FakeOrchestrator(site).admitAttempt(key(site, worker), CAMPAIGN, TARGET));
            long deletedAt = clock.monotonicMillis();
            blue.bed.cluster.delete("/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines/" + worker.name());
            blue.await(site, "the hook", worker, "Deleting", "WaitingForPreTerminateHook");
            blue.awaitDeleted(site, worker);
            assertThat(clock.monotonicMillis() - deletedAt).isGreaterThanOrEqualTo(600_000);
            blue.awaitHealthy(site);
        }
    }

    private static MachineKey key(WatchedTestSite site, KubeObject machine) {
        return site.machine(machine.name());
    }

    private static void fail(WatchedTestSite site, FakeOrchestrator orchestrator, KubeObject machine) {
        orchestrator.admitAttempt(key(site, machine), CAMPAIGN, TARGET);
        orchestrator.reportFailure(key(site, machine), CAMPAIGN, "no space left");
        site.await(
                "the condition", () -> !blue.exists(machine) || "Failed".equals(blue.reason(machine, UPGRADE_FAILED)));
    }

    /** Sets the guards as the worker does. */
    private static void guard(KubeObject machine, long attempt) {
        JsonObjectReader.Builder annotations = new JsonObjectReader.Builder()
                .put(
                        AnnotationKeys.ATTEMPT,
                        "{\"attemptId\":%d,\"owner\":\"0/w\",\"setAnnotations\":[\"%s\"]}"
                                .formatted(attempt, String.join("\",\"", GUARDS)));
        GUARDS.forEach(each -> annotations.put(each, "flotilla"));
        assertThat(blue.bed.adminClient.mergePatch(
                        ManagementTestBed.path("machines", machine.name()),
                        new JsonObjectReader.Builder()
                                .put(
                                        "metadata",
                                        new JsonObjectReader.Builder()
                                                .put("annotations", annotations.build())
                                                .build())
                                .build()))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
    }
}
