package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.bed.NodeUpgradeTestBed;
import dev.flotilla.nodeworker.bed.TestBedNode;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Upgrades by NodeUpgrades, by workers on a real Kafka and through real API servers. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class NodeUpgradeByWorkerIT {
    private static final String HOOK = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/flotilla";

    private static LocalKafka kafka;
    private static NodeUpgradeTestBed testBed;

    @BeforeAll
    static void start() throws Exception {
        kafka = LocalKafka.start();
        testBed = new NodeUpgradeTestBed(1, 3);
    }

    @AfterAll
    static void stop() {
        testBed.close();
        kafka.close();
    }

    private static WorkersFixture workers() throws Exception {
        return new WorkersFixture(
                kafka.bootstrap(),
                testBed.siteTestBed.site.name(),
                new NodeUpgraderFactory(
                        testBed.siteTestBed.vertx, testBed.siteTestBed.site(SiteUpgradeSettings.DEFAULT), null));
    }

    private static WorkerCommand.UpgradeMachine command(TestBedNode node, long attempt) {
        return new WorkerCommand.UpgradeMachine(
                        node.machine(),
                        testBed.siteTestBed.uid(node),
                        attempt,
                        node.role(),
                        NodeUpgradeTestBed.TARGET,
                        null,
                        null,
                        2,
                        Instant.now().plusSeconds(900))
                .withNodeUpgrade(NodeUpgradeTestBed.TEMPLATE);
    }

    private static void awaitChange(WorkersFixture workers, TestBedNode node, long attempt) {
        workers.await(
                "the object to be recorded",
                () -> workers.lastReport(node.machine()) instanceof AttemptReport.StepReached step
                        && step.step() == AttemptStep.REFRESHING);
        assertThat(workers.lastReport(node.machine()))
                .isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, testBed.nameOf(node, attempt)));
    }

    @Test
    void anotherWorkerEndsWhatOneHasBegun() throws Exception {
        TestBedNode node = testBed.siteTestBed.node("w-1");
        try (WorkersFixture workers = workers()) {
            WorkerLoop first = workers.start("first");
            workers.command(command(node, 11));
            awaitChange(workers, node, 11);
            testBed.report(node, 11, "Running");
            first.close();
            workers.start("second");
            testBed.upgradeNode(node);
            testBed.report(node, 11, "Succeeded");
            workers.await(
                    "the attempt to end", () -> workers.lastReport(node.machine()) instanceof AttemptReport.Succeeded);
            assertThat(workers.lastReport(node.machine()))
                    .isInstanceOfSatisfying(
                            AttemptReport.Succeeded.class,
                            succeeded -> assertThat(succeeded.version()).isEqualTo("v1.36.3"));
        }
        assertThat(testBed.objects())
                .filteredOn(name -> name.startsWith("w-1-"))
                .containsExactly(testBed.nameOf(node, 11));
        assertThat(testBed.siteTestBed.annotation(node, "flotilla.dev/attempt")).isNull();
        assertThat(testBed.siteTestBed.nodes.calls(node)).as("calls of k8sd").isZero();
    }

    /** A worker that has not read the command before knows from the cancellation which object it aborts. */
    @Test
    void anotherWorkerAbortsWhatOneHasCalled() throws Exception {
        TestBedNode node = testBed.siteTestBed.node("w-2");
        try (WorkersFixture workers = workers()) {
            WorkerLoop first = workers.start("first");
            WorkerCommand.UpgradeMachine command = command(node, 13);
            workers.command(command);
            awaitChange(workers, node, 13);
            assertThat(testBed.siteTestBed.annotation(node, HOOK)).isEqualTo("flotilla");
            first.close();
            workers.command(cancel(command, 13));
            workers.start("second");
            workers.await("the abort", () -> isAborting(node, 13));
            testBed.report(node, 13, "Aborted");
            workers.await(
                    "the attempt to end", () -> workers.lastReport(node.machine()) instanceof AttemptReport.Aborted);
        }
        assertThat(testBed.siteTestBed.annotation(node, "flotilla.dev/attempt")).isNull();
        assertThat(testBed.siteTestBed.annotation(node, HOOK)).isNull();
    }

    private static WorkerCommand cancel(WorkerCommand.UpgradeMachine command, long attempt) {
        return new WorkerCommand.CancelUpgrade(
                command.key(),
                command.uid(),
                attempt,
                "rollout-ended",
                UpgradeProvider.NODE_UPGRADE,
                NodeUpgradeTestBed.TEMPLATE,
                new WorkerCommand.CancelledUpgrade(command.role(), command.target(), null));
    }

    private static boolean isAborting(TestBedNode node, long attempt) {
        KubeObject object = testBed.object(node, attempt);
        return object != null && "Abort".equals(object.text("spec", "phase"));
    }

    @Test
    void preparesANodeThatGoesOnAsItIs() throws Exception {
        TestBedNode node = testBed.siteTestBed.node("w-3");
        try (WorkersFixture workers = workers()) {
            WorkerLoop first = workers.start("preparing");
            workers.command(new WorkerCommand.PrepareMachine(
                    node.machine(),
                    testBed.siteTestBed.uid(node),
                    21,
                    node.role(),
                    NodeUpgradeTestBed.TARGET,
                    Instant.now().plusSeconds(900),
                    Instant.parse("2099-01-01T00:00:00Z"),
                    NodeUpgradeTestBed.TEMPLATE));
            workers.await("the object", () -> testBed.object(node, 21) != null);
            testBed.report(node, 21, "Running");
            first.close();
            workers.start("continuing");
            testBed.report(node, 21, "Succeeded");
            workers.await(
                    "the preparation to end",
                    () -> workers.lastReport(node.machine()) instanceof AttemptReport.Prepared);
            assertThat(testBed.siteTestBed.annotation(node, "flotilla.dev/attempt"))
                    .isNull();
            KubeObject prepared = testBed.object(node, 21);
            assertThat(prepared).isNotNull();
            assertThat(prepared.text("spec", "stage")).isEqualTo("Prepare");
            assertThat(prepared.text("spec", "deadline")).isEqualTo("2099-01-01T00:00:00Z");

            workers.command(command(node, 22).withPreparation());
            awaitChange(workers, node, 22);
            KubeObject upgrade = testBed.object(node, 22);
            assertThat(upgrade).isNotNull();
            assertThat(upgrade.text("spec", "stage")).isEqualTo("Upgrade");
            testBed.upgradeNode(node);
            testBed.report(node, 22, "Succeeded");
            workers.await(
                    "the attempt to end", () -> workers.lastReport(node.machine()) instanceof AttemptReport.Succeeded);
        }
    }

    @Test
    void cancelledAttemptIsAborted() throws Exception {
        TestBedNode node = testBed.siteTestBed.node("w-2");
        try (WorkersFixture workers = workers()) {
            workers.start("aborting");
            WorkerCommand.UpgradeMachine command = command(node, 12);
            workers.command(command);
            awaitChange(workers, node, 12);
            workers.command(cancel(command, 12));
            workers.await("the abort", () -> isAborting(node, 12));
            assertThat(workers.lastReport(node.machine())).isInstanceOf(AttemptReport.StepReached.class);
            testBed.report(node, 12, "Aborted");
            workers.await(
                    "the attempt to end", () -> workers.lastReport(node.machine()) instanceof AttemptReport.Aborted);
            assertThat(workers.lastReport(node.machine()))
                    .isInstanceOfSatisfying(
                            AttemptReport.Aborted.class,
                            aborted -> assertThat(aborted.text()).contains(testBed.nameOf(node, 12), "was aborted"));
        }
        assertThat(testBed.siteTestBed.annotation(node, "flotilla.dev/attempt")).isNull();
    }
}
