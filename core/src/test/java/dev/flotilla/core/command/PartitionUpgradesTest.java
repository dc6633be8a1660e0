package dev.flotilla.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.core.upgrade.WaitReason;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What sessions, take-overs and hand-overs mean for a partition's upgrades and their reports. */
class PartitionUpgradesTest {
    private static final ClockReading NOW = new ClockReading(1000, 1000);
    private static final MachineKey MACHINE = machine(1);
    private static final long ATTEMPT = 41;
    private static final AttemptReport GUARDING = new AttemptReport.StepReached(AttemptStep.GUARDING, null);
    private static final AttemptReport PERMIT = new AttemptReport.StepReached(AttemptStep.STARTING, null);
    private static final AttemptReport REFRESHING = new AttemptReport.StepReached(AttemptStep.REFRESHING, "7");
    private static final UpgradeAction CLEAN_UP = new UpgradeAction.CleanUp();

    private final PartitionUpgrades partition = new PartitionUpgrades(UpgradeSafeguards.ALL);
    private final Map<MachineKey, @Nullable WorkerCommand> commands = new LinkedHashMap<>();
    private final Map<MachineKey, AttemptProgress> log = new LinkedHashMap<>();

    private static MachineKey machine(int number) {
        return new MachineKey(new SiteId("north"), "default", "m-" + number);
    }

    private static WorkerCommand.UpgradeMachine command(MachineKey machine, long attempt) {
        return new WorkerCommand.UpgradeMachine(
                machine,
                "uid",
                attempt,
                MachineRole.WORKER,
                new UpgradeTarget.Revision("3100"),
                null,
                null,
                1,
                Instant.ofEpochMilli(900_000));
    }

    private static AttemptProgress progress(long attempt, AttemptReport report) {
        return new AttemptProgress(MACHINE, "uid", attempt, report, Instant.ofEpochMilli(NOW.wallMillis()));
    }

    // The test as worker: it opens sessions on what the log shows.

    private List<PartitionEffect> openSession() {
        return partition.openSession(
                new PartitionSnapshot(new LinkedHashMap<>(commands), new LinkedHashMap<>(log)), NOW);
    }

    /** Opens a session with the command of one attempt. */
    private CommandedUpgrade start() {
        commands.put(MACHINE, command(MACHINE, ATTEMPT));
        return startedUpgrade(openSession());
    }

    private static CommandedUpgrade startedUpgrade(List<PartitionEffect> effects) {
        assertThat(effects).hasOnlyElementsOfType(PartitionEffect.StartUpgrade.class);
        CommandedUpgrade upgrade = effects.getFirst().upgrade();
        upgrade.begin(null, NOW);
        return upgrade;
    }

    /** Takes an upgrade to its call permit, which is not enqueued yet. */
    private static void runToPermit(CommandedUpgrade upgrade) {
        upgrade.handle(
                new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode("3000", "v1.33.0", true, false)), NOW);
        upgrade.handle(new UpgradeInput.ConnectAttempted(new ConnectResult.Connected()), NOW);
        assertThat(upgrade.handle(new UpgradeInput.GuardsSet(null), NOW))
                .containsExactly(new UpgradeAction.WriteReport(PERMIT));
    }

    /** Takes an upgrade to its call, which is in progress then. */
    private void runToCall(CommandedUpgrade upgrade) {
        runToPermit(upgrade);
        partition.enqueueReport(upgrade, PERMIT, NOW);
        commit();
        upgrade.handle(new UpgradeInput.ReportCommitted(PERMIT), NOW);
        assertThat(upgrade.handle(new UpgradeInput.PreconditionsChecked(null), NOW))
                .hasOnlyElementsOfType(UpgradeAction.CallUpgrade.class);
    }

    private List<PartitionEffect> commit() {
        List<AttemptProgress> batch = partition.nextReports();
        batch.forEach(progress -> log.put(progress.key(), progress));
        return partition.reportsCommitted(batch);
    }

    private List<AttemptReport> waitingReports() {
        return partition.nextReports().stream().map(AttemptProgress::report).toList();
    }

    private static List<UpgradeAction> actions(List<PartitionEffect> effects) {
        return effects.stream()
                .flatMap(effect -> ((PartitionEffect.PerformActions) effect).actions().stream())
                .toList();
    }

    // Sessions.

    @Test
    void startsEachCommandedUpgradeFromItsLastReport() {
        commands.put(MACHINE, command(MACHINE, ATTEMPT));
        commands.put(machine(2), command(machine(2), ATTEMPT + 1));
        log.put(MACHINE, progress(ATTEMPT, REFRESHING));
        assertThat(openSession())
                .extracting(effect -> ((PartitionEffect.StartUpgrade) effect).lastReport())
                .containsExactly(progress(ATTEMPT, REFRESHING), null);
        assertThat(partition.countRunning()).isEqualTo(2);
    }

    @Test
    void commitsAReportAndPassesItOn() {
        CommandedUpgrade upgrade = start();
        runToPermit(upgrade);
        assertThat(partition.enqueueReport(upgrade, PERMIT, NOW)).isEmpty();
        assertThat(partition.nextReports()).containsExactly(progress(ATTEMPT, PERMIT));
        assertThat(commit()).containsExactly(new PartitionEffect.ReportCommitted(upgrade, PERMIT));
        assertThat(partition.nextReports()).isEmpty();
    }

    @Test
    void dropsAPermitThatWaitsWhenTheSessionEnds() {
        CommandedUpgrade upgrade = start();
        runToPermit(upgrade);
        partition.enqueueReport(upgrade, PERMIT, NOW);
        assertThat(actions(partition.commitFailed(partition.nextReports(), NOW)))
                .containsExactly(CLEAN_UP);
        assertThat(partition.isSessionOpen()).isFalse();
        openSession();
        assertThat(waitingReports()).isEmpty();
    }

    @Test
    void givesUpACommittedPermitWhenTheSessionEnds() {
        CommandedUpgrade upgrade = start();
        runToPermit(upgrade);
        partition.enqueueReport(upgrade, PERMIT, NOW);
        commit();
        upgrade.handle(new UpgradeInput.ReportCommitted(PERMIT), NOW);
        assertThat(actions(partition.endSession(NOW))).containsExactly(CLEAN_UP);
        assertThat(partition.endSession(NOW)).isEmpty();
        assertThat(upgrade.handle(new UpgradeInput.PreconditionsChecked(null), NOW))
                .isEmpty();
    }

    @Test
    void requestsNoPermitWithoutASession() {
        CommandedUpgrade upgrade = start();
        partition.endSession(NOW);
        runToPermit(upgrade);
        assertThat(partition.enqueueReport(upgrade, PERMIT, NOW)).containsExactly(CLEAN_UP);
        assertThat(openSession()).isEmpty();
        assertThat(waitingReports()).isEmpty();
    }

    @Test
    void continuesWithoutASessionAndKeepsTheReport() {
        CommandedUpgrade upgrade = start();
        runToCall(upgrade);
        partition.endSession(NOW);
        upgrade.handle(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")), NOW);
        assertThat(partition.enqueueReport(upgrade, REFRESHING, NOW))
                .containsExactly(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(partition.nextReports()).as("without a session").isEmpty();
        assertThat(openSession()).isEmpty();
        assertThat(waitingReports()).containsExactly(REFRESHING);
    }

    @Test
    void laterReportReplacesOneThatWaits() {
        CommandedUpgrade upgrade = start();
        partition.enqueueReport(upgrade, GUARDING, NOW);
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        assertThat(waitingReports()).containsExactly(REFRESHING);
    }

    @Test
    void laterReportWaitsWhileAnEarlierOneIsCommitted() {
        CommandedUpgrade upgrade = start();
        partition.enqueueReport(upgrade, GUARDING, NOW);
        List<AttemptProgress> batch = partition.nextReports();
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        partition.reportsCommitted(batch);
        assertThat(waitingReports()).containsExactly(REFRESHING);
    }

    /** The report of a failure waits for its evidence, which may take longer than the commit of an earlier step. */
    @Test
    void stepCommittedAfterTheEndIsNotTheFinalReport() {
        CommandedUpgrade upgrade = start();
        runToCall(upgrade);
        partition.enqueueReport(upgrade, GUARDING, NOW);
        upgrade.handle(
                new UpgradeInput.CallReturned(new CallResult.CallRejected(
                        FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, "no such revision")),
                NOW);
        AttemptReport failed =
                new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, "no such revision");
        assertThat(upgrade.isEndedBy(failed)).as("before the cleanup").isFalse();
        assertThat(upgrade.handle(new UpgradeInput.CleanedUp(), NOW))
                .containsExactly(new UpgradeAction.WriteReport(failed));
        assertThat(commit()).containsExactly(new PartitionEffect.ReportCommitted(upgrade, GUARDING));
        assertThat(upgrade.hasEnded()).isTrue();
        assertThat(upgrade.isEndedBy(GUARDING)).isFalse();
        partition.enqueueReport(upgrade, failed, NOW);
        assertThat(commit()).containsExactly(new PartitionEffect.ReportCommitted(upgrade, failed));
        assertThat(upgrade.isEndedBy(failed)).isTrue();
    }

    @Test
    void limitsTheReportsOfOneTransaction() {
        int machines = ReportQueue.MAX_BATCH + 1;
        for (int i = 1; i <= machines; i++) {
            commands.put(machine(i), command(machine(i), ATTEMPT + i));
        }
        openSession().forEach(effect -> partition.enqueueReport(effect.upgrade(), GUARDING, NOW));
        assertThat(partition.nextReports()).hasSize(ReportQueue.MAX_BATCH);
        commit();
        assertThat(partition.nextReports()).hasSize(1);
    }

    // Take-over.

    @Test
    void continuesAfterACommitOfUnknownOutcome() {
        CommandedUpgrade upgrade = start();
        runToCall(upgrade);
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        partition.commitFailed(partition.nextReports(), NOW);
        log.put(MACHINE, progress(ATTEMPT, REFRESHING));
        assertThat(openSession()).as("the commit had succeeded").isEmpty();
        assertThat(waitingReports()).containsExactly(REFRESHING);
        assertThat(commit()).containsExactly(new PartitionEffect.ReportCommitted(upgrade, REFRESHING));
    }

    @Test
    void continuesAfterAnAbortedCommit() {
        CommandedUpgrade upgrade = start();
        runToCall(upgrade);
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        partition.commitFailed(partition.nextReports(), NOW);
        assertThat(openSession()).isEmpty();
        assertThat(waitingReports()).containsExactly(REFRESHING);
        assertThat(upgrade.isStopped()).isFalse();
    }

    @Test
    void restartsAnUpgradeThatAnotherWorkerHasContinued() {
        CommandedUpgrade upgrade = start();
        runToCall(upgrade);
        partition.endSession(NOW);
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        AttemptProgress theirs = progress(ATTEMPT, new AttemptReport.OutcomeUnknown("a call may have been made"));
        log.put(MACHINE, theirs);
        List<PartitionEffect> effects = openSession();
        assertThat(effects.getFirst()).isEqualTo(new PartitionEffect.StopUpgrade(upgrade));
        assertThat(effects.getLast())
                .isInstanceOfSatisfying(
                        PartitionEffect.StartUpgrade.class,
                        start -> assertThat(start.lastReport()).isEqualTo(theirs));
        assertThat(partition.nextReports())
                .as("the report of the stopped upgrade")
                .isEmpty();
        assertThat(upgrade.isStopped()).isTrue();
    }

    @Test
    void restartsAnUpgradeWhoseFirstReportIsAnotherWorkers() {
        CommandedUpgrade upgrade = start();
        log.put(MACHINE, progress(ATTEMPT, GUARDING));
        assertThat(openSession().getFirst()).isEqualTo(new PartitionEffect.StopUpgrade(upgrade));
    }

    @Test
    void writesLostReportsAgainAndContinues() {
        CommandedUpgrade upgrade = start();
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        commit();
        log.clear();
        assertThat(openSession()).isEmpty();
        assertThat(waitingReports()).containsExactly(REFRESHING);
        assertThat(upgrade.isStopped()).isFalse();
    }

    @Test
    void doesNotPassOnTheCommitOfAnEarlierAttempt() {
        CommandedUpgrade upgrade = start();
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        commit();
        partition.handleCommand(MACHINE, null, NOW);
        log.clear();
        commands.put(MACHINE, command(MACHINE, ATTEMPT + 1));
        startedUpgrade(openSession());
        assertThat(waitingReports()).containsExactly(REFRESHING);
        assertThat(commit()).isEmpty();
    }

    // Commands.

    @Test
    void renewedCommandReachesTheRunningUpgrade() {
        CommandedUpgrade upgrade = start();
        assertThat(partition.handleCommand(MACHINE, command(MACHINE, ATTEMPT), NOW))
                .isEmpty();
        assertThat(actions(partition.handleCommand(
                        MACHINE, new WorkerCommand.CancelUpgrade(MACHINE, "uid", ATTEMPT, "paused"), NOW)))
                .containsExactly(new UpgradeAction.WriteReport(new AttemptReport.Cancelled()));
        assertThat(upgrade.upgradeCommand()).isEqualTo(command(MACHINE, ATTEMPT));
    }

    @Test
    void commandOfAnotherAttemptReplacesTheUpgrade() {
        CommandedUpgrade upgrade = start();
        List<PartitionEffect> effects = partition.handleCommand(MACHINE, command(MACHINE, ATTEMPT + 1), NOW);
        assertThat(effects.getFirst()).isEqualTo(new PartitionEffect.StopUpgrade(upgrade));
        assertThat(effects.getLast()).isInstanceOf(PartitionEffect.StartUpgrade.class);
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        assertThat(partition.nextReports()).as("reports of a replaced upgrade").isEmpty();
    }

    @Test
    void startsNothingWithoutASession() {
        assertThat(partition.handleCommand(MACHINE, command(MACHINE, ATTEMPT), NOW))
                .isEmpty();
        CommandedUpgrade upgrade = start();
        partition.endSession(NOW);
        assertThat(partition.handleCommand(MACHINE, command(MACHINE, ATTEMPT + 1), NOW))
                .isEmpty();
        commands.put(MACHINE, command(MACHINE, ATTEMPT + 1));
        List<PartitionEffect> effects = openSession();
        assertThat(effects.getFirst()).isEqualTo(new PartitionEffect.StopUpgrade(upgrade));
        assertThat(effects.getLast()).isInstanceOf(PartitionEffect.StartUpgrade.class);
    }

    /** They are read again when the partition could not be read to its end. */
    @Test
    void ignoresOlderCommandsAndTombstonesWithoutASession() {
        CommandedUpgrade upgrade = start();
        runToCall(upgrade);
        partition.endSession(NOW);
        upgrade.handle(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")), NOW);
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        assertThat(partition.handleCommand(MACHINE, command(MACHINE, ATTEMPT - 1), NOW))
                .isEmpty();
        assertThat(partition.handleCommand(MACHINE, null, NOW)).isEmpty();
        assertThat(upgrade.isStopped()).isFalse();
        assertThat(openSession()).isEmpty();
        assertThat(waitingReports()).containsExactly(REFRESHING);
    }

    @Test
    void cleansUpAnUpgradeWhoseCommandWasRemoved() {
        CommandedUpgrade upgrade = start();
        partition.enqueueReport(upgrade, GUARDING, NOW);
        assertThat(partition.handleCommand(MACHINE, null, NOW))
                .containsExactly(new PartitionEffect.CleanUpAbandoned(upgrade));
        assertThat(upgrade.isStopped()).isTrue();
        assertThat(partition.nextReports()).isEmpty();
        assertThat(partition.handleCommand(MACHINE, null, NOW)).isEmpty();
    }

    @Test
    void cleansUpAnUpgradeWhoseCommandIsMissingInTheNextSession() {
        CommandedUpgrade upgrade = start();
        commands.clear();
        assertThat(openSession()).containsExactly(new PartitionEffect.CleanUpAbandoned(upgrade));
    }

    @Test
    void stopsAnEndedUpgradeWhoseCommandWasRemoved() {
        CommandedUpgrade upgrade = start();
        partition.handleCommand(MACHINE, new WorkerCommand.CancelUpgrade(MACHINE, "uid", ATTEMPT, "paused"), NOW);
        assertThat(upgrade.hasEnded()).isTrue();
        assertThat(partition.countRunning()).isZero();
        assertThat(partition.handleCommand(MACHINE, null, NOW))
                .containsExactly(new PartitionEffect.StopUpgrade(upgrade));
    }

    // Hand-over.

    @Test
    void returnsAnUnusedPermitBeforeTheHandOver() {
        CommandedUpgrade upgrade = start();
        runToPermit(upgrade);
        partition.enqueueReport(upgrade, PERMIT, NOW);
        commit();
        upgrade.handle(new UpgradeInput.ReportCommitted(PERMIT), NOW);
        assertThat(partition.isSettled()).isFalse();
        assertThat(actions(partition.handOver(NOW))).containsExactly(new UpgradeAction.WriteReport(GUARDING));
        partition.enqueueReport(upgrade, GUARDING, NOW);
        assertThat(partition.isSettled()).as("the report waits").isFalse();
        commit();
        assertThat(partition.isSettled()).isTrue();
        assertThat(upgrade.isStopped()).isTrue();
    }

    @Test
    void awaitsACallBeforeTheHandOver() {
        CommandedUpgrade upgrade = start();
        runToCall(upgrade);
        assertThat(partition.handOver(NOW)).isEmpty();
        assertThat(partition.isSettled()).isFalse();
        upgrade.handle(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")), NOW);
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        commit();
        assertThat(partition.isSettled()).as("the commit is not passed on yet").isFalse();
        upgrade.handle(new UpgradeInput.ReportCommitted(REFRESHING), NOW);
        assertThat(partition.isSettled()).isTrue();
        assertThat(upgrade.isStopped()).isTrue();
    }

    @Test
    void isNotSettledBeforeAFinalReportIsEnqueued() {
        CommandedUpgrade upgrade = start();
        upgrade.handle(
                new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode("3000", "v1.33.0", true, false)), NOW);
        upgrade.handle(
                new UpgradeInput.ConnectAttempted(new ConnectResult.ConnectionRefused(
                        FailureClass.TERMINAL, FailureReason.CREDENTIALS, "no token")),
                NOW);
        assertThat(upgrade.hasEnded()).isTrue();
        assertThat(partition.isSettled()).as("its evidence is being collected").isFalse();
        partition.enqueueReport(upgrade, new AttemptReport.Cancelled(), NOW);
        assertThat(partition.isSettled()).as("its report waits").isFalse();
        commit();
        assertThat(partition.isSettled()).isTrue();
    }

    @Test
    void isSettledWithoutASession() {
        runToCall(start());
        assertThat(partition.isSettled()).isFalse();
        partition.endSession(NOW);
        assertThat(partition.isSettled()).isTrue();
    }

    @Test
    void droppedPartitionStopsItsUpgrades() {
        CommandedUpgrade upgrade = start();
        partition.enqueueReport(upgrade, REFRESHING, NOW);
        partition.drop();
        assertThat(upgrade.isStopped()).isTrue();
        assertThat(partition.isSessionOpen()).isFalse();
        assertThat(partition.countRunning()).isZero();
        assertThat(upgrade.begin(null, NOW)).isEmpty();
    }
}
