package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
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
import dev.flotilla.schemas.topic.Table;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A small campaign, step by step, in which most of what can happen does. Everybody but the orchestrator is played. */
final class CampaignScenario {
    static final SiteId EAST = new SiteId("east");
    private static final int CAP = 2;

    private final TableActorsFixture tableActorsFixture;
    private final LoopClock time;
    private final Set<Long> answered = new HashSet<>();
    private int orders;

    /** Something that is written, and waited for until it is decided on. */
    record ScenarioStep(String what, Runnable happens) {}

    CampaignScenario(TableActorsFixture tableActorsFixture, LoopClock time) {
        this.tableActorsFixture = tableActorsFixture;
        this.time = time;
    }

    /** All of it, up to where two machines are at work, four have ended in four ways and others wait. */
    List<ScenarioStep> upToTheMiddle() {
        return List.of(
                new ScenarioStep("a cap and a site", this::furnish),
                new ScenarioStep("a campaign", this::begin),
                new ScenarioStep("one refreshes, one fails for good", this::workAndFail),
                new ScenarioStep("the one that failed is skipped, the other succeeds", this::skipAndSucceed),
                new ScenarioStep("the second wave is approved", this::approve),
                new ScenarioStep("the fleet is frozen", this::freeze),
                new ScenarioStep("a policy nobody can read", this::poison),
                new ScenarioStep("the freeze is lifted", this::unfreeze),
                new ScenarioStep("one fails and is to be tried again", this::failOnce),
                new ScenarioStep("a machine is gone", this::vanish));
    }

    /** What is left then. */
    ScenarioStep end() {
        return new ScenarioStep("all that is left is done", this::finish);
    }

    private void furnish() {
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

    private void begin() {
        LabelSelector canary =
                new LabelSelector(List.of(new LabelRequirement("ring", LabelOperator.IN, List.of("canary"))));
        tableActorsFixture.write(SampleCampaigns.campaign(
                List.of(
                        new Wave("canary", List.of(), canary, false, 50),
                        new Wave("rest", List.of(), LabelSelector.ALL, true, 100)),
                new RetryRule(3, Duration.ofSeconds(1), Duration.ofSeconds(2))));
        tableActorsFixture.await("two are started", () -> open() == 2);
    }

    private void workAndFail() {
        say("k1-w-0", new AttemptReport.StepReached(dev.flotilla.schemas.row.AttemptStep.REFRESHING, "42"));
        say("k1-w-1", new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "snap said never"));
        tableActorsFixture.await("one is quarantined", () -> outcome("k1-w-1") == MachineOutcome.QUARANTINED);
    }

    private void skipAndSucceed() {
        order(new OperatorOrderKey.SkipMachine(SampleCampaigns.SPRING, key("k1-w-1")), OrderVerb.SKIP);
        say("k1-w-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "2000", "v1.33.1"));
        tableActorsFixture.await("the wave is closed", () -> event("wave-closed"));
    }

    private void approve() {
        order(new OperatorOrderKey.ApproveWave(SampleCampaigns.SPRING, "rest"), OrderVerb.APPROVE);
        tableActorsFixture.await("two more are started", () -> open() == 2);
    }

    private void freeze() {
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE);
        tableActorsFixture.await(
                "both are called back",
                () -> tableActorsFixture.now(WorkerCommand.CancelUpgrade.class).count() == 2);
        tableActorsFixture
                .now(WorkerCommand.CancelUpgrade.class)
                .toList()
                .forEach(command -> tableActorsFixture.write(new AttemptProgress(
                        command.key(), command.uid(), command.attemptId(), new AttemptReport.Cancelled(), now())));
        tableActorsFixture.await(
                "none is at work",
                () -> open() == 0
                        && tableActorsFixture.now(WorkerCommand.class).findAny().isEmpty());
    }

    /** Whoever restores finds no policy in its table any more. */
    private void poison() {
        tableActorsFixture.raw(List.of(new WireRecord(
                "flotilla.policies", 0, "fleet", "please".getBytes(StandardCharsets.UTF_8), WireHeaders.NONE)));
        tableActorsFixture.await("it is rejected", () -> event("rejected"));
    }

    private void unfreeze() {
        order(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE);
        // The policy that was accepted counts still.
        tableActorsFixture.await("two are started again", () -> open() == 2);
    }

    private void failOnce() {
        WorkerCommand.UpgradeMachine first = upgrades().getFirst();
        say(
                first.key().name(),
                new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "snap said no"));
        tableActorsFixture.await(
                "another takes its place",
                () -> open() == 2 && !upgrades().getFirst().equals(first));
    }

    private void vanish() {
        String waiting = List.of("k2-w-0", "k2-w-1", "k2-w-2", "k2-w-3").stream()
                .filter(name -> tableActorsFixture
                        .now(MachineStatus.class)
                        .noneMatch(status -> status.key().equals(key(name))))
                .findFirst()
                .orElse("k2-w-3");
        tableActorsFixture.raw(List.of(
                new WireRecord("flotilla.inventory.east", 0, "machine/fleet/" + waiting, null, WireHeaders.NONE)));
        tableActorsFixture.await(
                "it is gone",
                () -> tableActorsFixture.journal().stream()
                        .anyMatch(record -> record.subject().endsWith(waiting)
                                && record.changes().stream()
                                        .anyMatch(rowChange -> rowChange instanceof dev.flotilla.schemas.row.Tombstone
                                                && rowChange.rowKey().table() == Table.INVENTORY)));
    }

    private void finish() {
        heartbeat();
        while (tableActorsFixture
                .now(CampaignStatus.class)
                .noneMatch(status -> status.state() == CampaignState.COMPLETED)) {
            tableActorsFixture.await(
                    "a start or the end",
                    () -> upgrades().stream().anyMatch(command -> !answered.contains(command.attemptId()))
                            || tableActorsFixture
                                    .now(CampaignStatus.class)
                                    .anyMatch(status -> status.state() == CampaignState.COMPLETED));
            for (WorkerCommand.UpgradeMachine command : upgrades()) {
                if (answered.add(command.attemptId())) {
                    say(
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

    private void say(String machine, AttemptReport report) {
        WorkerCommand.UpgradeMachine command = upgrades().stream()
                .filter(each -> each.key().name().equals(machine))
                .findFirst()
                .orElseThrow(() -> new AssertionError(machine + " has no command; " + upgrades()));
        tableActorsFixture.write(new AttemptProgress(command.key(), command.uid(), command.attemptId(), report, now()));
    }

    private void order(OperatorOrderKey key, OrderVerb verb) {
        CampaignStatus campaign = key instanceof OperatorOrderKey.CampaignOrder
                ? tableActorsFixture.now(CampaignStatus.class).findFirst().orElseThrow()
                : null;
        Long uid = campaign == null ? null : (Long) campaign.uid();
        String edition = campaign != null && verb == OrderVerb.APPROVE
                ? CampaignContentHash.compute(campaign.acceptedCampaign())
                : null;
        tableActorsFixture.write(
                new OperatorOrder(key, "order-" + ++orders, "ada", "a test", uid, edition, null, verb));
    }

    private List<WorkerCommand.UpgradeMachine> upgrades() {
        return tableActorsFixture.now(WorkerCommand.UpgradeMachine.class).toList();
    }

    private long open() {
        return tableActorsFixture
                .now(MachineStatus.class)
                .filter(status -> status.attempt() != null)
                .count();
    }

    private MachineOutcome outcome(String machine) {
        return tableActorsFixture
                .now(MachineStatus.class)
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
