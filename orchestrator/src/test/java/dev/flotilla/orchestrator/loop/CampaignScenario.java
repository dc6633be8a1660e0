package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.LabelSelector.LabelOperator;
import dev.flotilla.schemas.row.LabelSelector.LabelRequirement;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WorkerCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A small campaign, step by step, that covers most events. All processes but the orchestrator are simulated. */
final class CampaignScenario {
    static final SiteId EAST = new SiteId("east");
    private static final int CAP = 2;

    private final TableActorsFixture tableActorsFixture;
    private final ProcessClock time;
    private final Set<Long> answered = new HashSet<>();
    private int orders;

    /** A step: rows that are written, and a condition that shows that they are decided on. */
    record ScenarioStep(String what, Runnable happens) {}

    CampaignScenario(TableActorsFixture tableActorsFixture, ProcessClock time) {
        this.tableActorsFixture = tableActorsFixture;
        this.time = time;
    }

    /** The steps up to a state with two machines in flight, four that ended in four ways, and others waiting. */
    List<ScenarioStep> stepsToTheMiddle() {
        return List.of(
                new ScenarioStep("a cap and a site", this::addFleet),
                new ScenarioStep("a campaign", this::startCampaign),
                new ScenarioStep("one refreshes, one fails for good", this::reportStepsAndFailures),
                new ScenarioStep("the one that failed is skipped, the other succeeds", this::skipOneAndReportSuccess),
                new ScenarioStep("the second wave is approved", this::approveWave),
                new ScenarioStep("the fleet is frozen", this::freezeFleet),
                new ScenarioStep("a policy nobody can read", this::writeUnreadablePolicy),
                new ScenarioStep("the freeze is lifted", this::unfreezeFleet),
                new ScenarioStep("one fails and is to be tried again", this::reportOneFailure),
                new ScenarioStep("a machine is gone", this::deleteMachine));
    }

    /** The remaining step. */
    ScenarioStep lastStep() {
        return new ScenarioStep("all that is left is done", this::finishCampaign);
    }

    private void addFleet() {
        tableActorsFixture.write(SampleCampaigns.policy(CAP));
        heartbeat();
        tableActorsFixture.write(cluster("k1", "canary", 2), cluster("k2", "rest", 4));
        for (int i = 0; i < 4; i++) {
            if (i < 2) {
                tableActorsFixture.write(TableActorsFixture.worker(EAST, "k1", i));
            }
            tableActorsFixture.write(TableActorsFixture.worker(EAST, "k2", i));
        }
        tableActorsFixture.await("the last machine is known", () -> decided("k2-w-3"));
    }

    private void startCampaign() {
        LabelSelector canary =
                new LabelSelector(List.of(new LabelRequirement("ring", LabelOperator.IN, List.of("canary"))));
        tableActorsFixture.write(SampleCampaigns.campaign(
                List.of(
                        new Wave("canary", List.of(), canary, false, 50),
                        new Wave("rest", List.of(), LabelSelector.ALL, true, 100)),
                new RetryRule(3, Duration.ofSeconds(1), Duration.ofSeconds(2))));
        tableActorsFixture.await("two are started", () -> open() == 2);
    }

    private void reportStepsAndFailures() {
        writeReport("k1-w-0", new AttemptReport.StepReached(dev.flotilla.schemas.row.AttemptStep.REFRESHING, "42"));
        writeReport(
                "k1-w-1",
                new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "snap said never"));
        tableActorsFixture.await("one is quarantined", () -> outcome("k1-w-1") == MachineOutcome.QUARANTINED);
    }

    private void skipOneAndReportSuccess() {
        order(new OperatorOrderKey.SkipMachine(SampleCampaigns.SPRING, key("k1-w-1")), OrderVerb.SKIP);
        writeReport("k1-w-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "2000", "v1.33.1"));
        tableActorsFixture.await("the wave is closed", () -> event("wave-closed"));
    }

    private void approveWave() {
        order(new OperatorOrderKey.ApproveWave(SampleCampaigns.SPRING, "rest"), OrderVerb.APPROVE);
        tableActorsFixture.await("two more are started", () -> open() == 2);
    }

    private void freezeFleet() {
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE);
        tableActorsFixture.await(
                "both are called back",
                () -> tableActorsFixture
                                .currentRows(WorkerCommand.CancelUpgrade.class)
                                .count()
                        == 2);
        tableActorsFixture
                .currentRows(WorkerCommand.CancelUpgrade.class)
                .toList()
                .forEach(command -> tableActorsFixture.write(new AttemptProgress(
                        command.key(), command.uid(), command.attemptId(), new AttemptReport.Cancelled(), now())));
        tableActorsFixture.await(
                "none is at work",
                () -> open() == 0
                        && tableActorsFixture
                                .currentRows(WorkerCommand.class)
                                .findAny()
                                .isEmpty());
    }

    /** A restarted replica finds no policy in the table. */
    private void writeUnreadablePolicy() {
        tableActorsFixture.writeRecords(List.of(new WireRecord(
                "flotilla.policies", 0, "fleet", "please".getBytes(StandardCharsets.UTF_8), WireHeaders.NONE)));
        tableActorsFixture.await("it is rejected", () -> event("rejected"));
    }

    private void unfreezeFleet() {
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE);
        // The policy that was accepted before stays in force.
        tableActorsFixture.await("two are started again", () -> open() == 2);
    }

    private void reportOneFailure() {
        WorkerCommand.UpgradeMachine first =
                tableActorsFixture.awaitRow("a command", WorkerCommand.UpgradeMachine.class, any -> true);
        writeReport(
                first.key().name(),
                new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "snap said no"));
        tableActorsFixture.await(
                "another takes its place",
                () -> open() == 2 && !upgrades().contains(first) && upgrades().size() == 2);
    }

    private void deleteMachine() {
        String waiting = List.of("k2-w-0", "k2-w-1", "k2-w-2", "k2-w-3").stream()
                .filter(name -> tableActorsFixture
                        .currentRows(MachineStatus.class)
                        .noneMatch(status -> status.key().equals(key(name))))
                .findFirst()
                .orElse("k2-w-3");
        tableActorsFixture.writeRecords(List.of(
                new WireRecord("flotilla.inventory.east", 0, "machine/fleet/" + waiting, null, WireHeaders.NONE)));
        tableActorsFixture.await(
                "it is gone",
                () -> tableActorsFixture.journal().stream()
                        .anyMatch(record -> record.subject().endsWith(waiting)
                                && record.changes().stream()
                                        .anyMatch(rowChange -> rowChange instanceof dev.flotilla.schemas.row.Tombstone
                                                && rowChange.rowKey().table() == Table.INVENTORY)));
    }

    private void finishCampaign() {
        heartbeat();
        while (tableActorsFixture
                .currentRows(CampaignStatus.class)
                .noneMatch(status -> status.state() == CampaignState.COMPLETED)) {
            tableActorsFixture.await(
                    "a start or the end",
                    () -> upgrades().stream().anyMatch(command -> !answered.contains(command.attemptId()))
                            || tableActorsFixture
                                    .currentRows(CampaignStatus.class)
                                    .anyMatch(status -> status.state() == CampaignState.COMPLETED));
            for (WorkerCommand.UpgradeMachine command : upgrades()) {
                if (answered.add(command.attemptId())) {
                    writeReport(
                            command.key().name(),
                            new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "2000", "v1.33.1"));
                }
            }
            heartbeat();
        }
    }

    void heartbeat() {
        tableActorsFixture.write(new WatcherHeartbeat(EAST, "uid-of-east", "watcher-1", now(), 0));
    }

    private void writeReport(String machine, AttemptReport report) {
        WorkerCommand.UpgradeMachine command = tableActorsFixture.awaitRow(
                "a command for " + machine,
                WorkerCommand.UpgradeMachine.class,
                each -> each.key().name().equals(machine));
        tableActorsFixture.write(new AttemptProgress(command.key(), command.uid(), command.attemptId(), report, now()));
    }

    private void order(OperatorOrderKey key, OrderVerb verb) {
        CampaignStatus campaign = key instanceof OperatorOrderKey.CampaignOrder
                ? tableActorsFixture.awaitRow("the campaign's status", CampaignStatus.class, any -> true)
                : null;
        Long uid = campaign == null ? null : (Long) campaign.uid();
        String edition = campaign != null && verb == OrderVerb.APPROVE
                ? CampaignContentHash.compute(campaign.acceptedCampaign())
                : null;
        tableActorsFixture.write(
                new OperatorOrder(key, "order-" + ++orders, "ada", "a test", uid, edition, null, verb));
    }

    private List<WorkerCommand.UpgradeMachine> upgrades() {
        return tableActorsFixture
                .currentRows(WorkerCommand.UpgradeMachine.class)
                .toList();
    }

    private long open() {
        return tableActorsFixture
                .currentRows(MachineStatus.class)
                .filter(status -> status.attempt() != null)
                .count();
    }

    private MachineOutcome outcome(String machine) {
        return tableActorsFixture
                .currentRows(MachineStatus.class)
                .filter(status -> status.key().equals(key(machine)))
                .flatMap(status -> status.entries().stream())
                .findFirst()
                .map(entry -> entry.outcome())
                .orElse(MachineOutcome.OPEN);
    }

    private boolean decided(String subject) {
        return tableActorsFixture.journal().stream()
                .anyMatch(record -> record.subject().endsWith(subject));
    }

    private boolean event(String event) {
        return tableActorsFixture.journal().stream()
                .anyMatch(record -> record.event().equals(event));
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.wallMillis());
    }

    private static MachineKey key(String name) {
        return new MachineKey(EAST, "fleet", name);
    }

    private static ClusterRow cluster(String name, String ring, int workers) {
        return new ClusterRow(
                new ClusterKey(EAST, "fleet", name),
                "uid-" + name,
                new Labels(new TreeMap<>(Map.of("ring", ring))),
                false,
                false,
                null,
                0,
                workers);
    }
}
