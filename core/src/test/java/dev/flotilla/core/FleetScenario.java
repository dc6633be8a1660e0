package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A small fleet for tests: rows go in, and the decisions can be inspected. Nothing is mocked. */
final class FleetScenario {
    static final SiteId SITE = new SiteId("north");
    static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    static final int MOST = 10_000;

    final GateChain gates;
    final FleetState state = new FleetState();
    private final DecisionEngine decisionEngine;
    final List<DecisionInput> inputs = new ArrayList<>();
    final List<Decision> decisions = new ArrayList<>();
    final Map<RowKey, RowChange> rows = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    Instant now = START;
    private long offset;
    private int orders;
    private boolean isReceivingBacklog;

    FleetScenario() {
        this(GateChain.standard());
    }

    FleetScenario(GateChain gates) {
        this.gates = gates;
        this.decisionEngine = new DecisionEngine(new FleetDecider(gates), state);
    }

    /** A site with heartbeats, and a fleet whose policy caps nothing. */
    static FleetScenario open() {
        FleetScenario fleetScenario = new FleetScenario();
        fleetScenario.decide(new DecisionInput.LeaderElected(fleetScenario.now));
        fleetScenario.receive(policy(FleetScope.FLEET, null));
        fleetScenario.site(SITE);
        return fleetScenario;
    }

    void site(SiteId site) {
        receive(new WatcherHeartbeat(site, "uid-of-" + site, "watcher", now, 0));
        decide(new DecisionInput.HeartbeatResumed(site, now));
    }

    static UpgradePolicy policy(dev.flotilla.schemas.id.PolicyScope scope, @Nullable CountOrPercent inFlight) {
        return new UpgradePolicy(scope, inFlight, null, false, null, null, null, null);
    }

    void cap(int inFlight) {
        receive(policy(FleetScope.FLEET, new CountOrPercent.Count(inFlight)));
    }

    /**
     * A cluster with control-plane machines and workers, all ready; each group has an owner named after the cluster.
     */
    ClusterKey cluster(String name, int controlPlanes, int workers) {
        return cluster(SITE, name, controlPlanes, workers, Labels.NONE);
    }

    ClusterKey cluster(SiteId site, String name, int controlPlanes, int workers, Labels labels) {
        ClusterKey key = new ClusterKey(site, "default", name);
        receive(new ClusterRow(key, "uid-" + name, labels, false, false, null, controlPlanes, workers));
        for (int i = 0; i < controlPlanes; i++) {
            receive(MachineRowBuilder.of(site, name, name + "-cp-" + i)
                    .role(MachineRole.CONTROL_PLANE)
                    .owner(OwnerKind.CONTROL_PLANE, name)
                    .build());
        }
        for (int i = 0; i < workers; i++) {
            receive(MachineRowBuilder.of(site, name, name + "-w-" + i)
                    .owner(OwnerKind.MACHINE_DEPLOYMENT, name)
                    .build());
        }
        return key;
    }

    static OwnerKey owner(OwnerKind kind, String name) {
        return new OwnerKey(SITE, kind, "default", name);
    }

    static OwnerKey deployment(String name) {
        return owner(OwnerKind.MACHINE_DEPLOYMENT, name);
    }

    static OwnerKey controlPlane(String name) {
        return owner(OwnerKind.CONTROL_PLANE, name);
    }

    /** Annotates an object. */
    void requestUpgrade(ObjectKey object, String option) {
        String uid = object instanceof MachineKey machine ? uidOf(machine.name()) : "uid-" + object.name();
        receive(new UpgradeIntent(object, uid, UpgradeTarget.parse(option), now));
    }

    /** Removes the annotation. */
    void removeIntent(ObjectKey object) {
        receive(new Tombstone(new RowKey(Table.INTENTS, object)));
    }

    IntentStatus intentStatus(ObjectKey object) {
        return (IntentStatus)
                Optional.ofNullable(rows.get(new RowKey(Table.STATUS, object))).orElseThrow();
    }

    static MachineKey machine(String name) {
        return new MachineKey(SITE, "default", name);
    }

    MachineRow row(String name) {
        return (MachineRow) Optional.ofNullable(rows.get(new RowKey(Table.INVENTORY, machine(name))))
                .orElseThrow();
    }

    void receive(RowChange rowChange) {
        decide(new DecisionInput.RecordReceived(rowChange, 0, offset++, now));
    }

    void campaign(Campaign campaign) {
        receive(campaign);
    }

    void order(OperatorOrderKey key, OperatorOrder.OrderVerb verb) {
        Long uid = key instanceof OperatorOrderKey.CampaignOrder of ? uid(of.campaign()) : null;
        String edition = key instanceof OperatorOrderKey.ApproveWave approve
                ? CampaignContentHash.compute(
                        campaignStatus(approve.campaign().name()).acceptedCampaign())
                : null;
        Long other = key instanceof OperatorOrderKey.ApproveOverlap overlap ? overlappingUid(overlap.campaign()) : null;
        receive(new OperatorOrder(key, "order-" + orders++, "ada", "test", uid, edition, other, verb));
    }

    /** The uid of the overlapping campaign that another one waits for, or zero. */
    private long overlappingUid(CampaignName later) {
        state.refreshDerivedState(gates, now);
        CampaignRollout rollout = state.rollout(later);
        CampaignName earlier = rollout == null ? null : state.overlappingCampaign(rollout);
        return earlier == null ? 0 : uid(earlier);
    }

    long uid(CampaignName name) {
        return campaignStatus(name.name()).uid();
    }

    /** Makes the newest record of a key unreadable: a reader of the table finds no row there. */
    void makeUnreadable(String topic, String key) {
        Topic in = Topic.parse(topic);
        EntityKey place = in == null ? null : RecordKeyFormat.parse(in, key);
        if (in != null && place != null) {
            rows.remove(new RowKey(in.table(), place));
        }
        decide(new DecisionInput.RecordUnreadable(
                new RejectedRecord(
                        new RejectedRecordKey(topic, 0, key),
                        offset++,
                        RejectionReason.NOT_JSON,
                        "",
                        "?",
                        "not JSON",
                        now),
                now));
    }

    void decide(DecisionInput input) {
        inputs.add(input);
        decisionEngine.processInput(input, isReceivingBacklog ? 0 : MOST, decision -> {
            decisions.add(decision);
            for (RowChange rowChange : decision.changes()) {
                rows.put(rowChange.rowKey(), rowChange);
            }
        });
        if (!isReceivingBacklog) {
            assertNothingDue(input.at());
        }
    }

    /**
     * A leader that restores the same rows and derives everything again finds no due work that this state does not
     * know, now or at its next timer. A command lease is an exception: it is checked again seconds later, and expires
     * by itself.
     */
    private void assertNothingDue(Instant at) {
        FleetState restored = new FleetState();
        rows.values().forEach(restored::put);
        state.sites().stream().filter(site -> !site.isUnrestored()).forEach(site -> restored.markRestored(site.id()));
        if (restored.hash() != state.hash()) {
            return;
        }
        List<Decision> missed = new ArrayList<>();
        new DecisionEngine(new FleetDecider(gates), restored).decideDueWork(at, 1, missed::add);
        boolean isLeaseCheck = missed.stream()
                .anyMatch(decision -> decision.event() == DecisionEvent.ATTEMPT_RENEWED
                        || decision.event() == DecisionEvent.ATTEMPT_CANCELLING);
        if (!isLeaseCheck) {
            assertThat(missed).as("decisions that are due by the rows").isEmpty();
            assertThat(state.dueWork().nextTimerAt())
                    .as("time of the next due work")
                    .isLessThanOrEqualTo(restored.dueWork().nextTimerAt());
            assertThat(state.inFlight()).as("machines in flight").isEqualTo(restored.inFlight());
            assertThat(explainWaiting(state, at)).isEqualTo(explainWaiting(restored, at));
        }
    }

    /** The explanation of each waiting machine, with the counts that cause it. */
    private Map<MachineKey, MachineExplanation> explainWaiting(FleetState of, Instant at) {
        Map<MachineKey, MachineExplanation> why = new LinkedHashMap<>();
        for (RowChange rowChange : rows.values()) {
            if (rowChange instanceof MachineRow row) {
                why.put(row.key(), MachineExplainer.explainMachine(of, gates, row.key(), at));
            }
        }
        return why;
    }

    /** Inputs that waited while there was no leader: none of them makes work due before all are accepted. */
    void receiveWithoutLeader(Runnable inputs) {
        isReceivingBacklog = true;
        inputs.run();
        isReceivingBacklog = false;
        advance(Duration.ZERO);
    }

    void advance(Duration time) {
        now = now.plus(time);
        decide(new DecisionInput.TimePassed(now));
    }

    void report(String name, AttemptReport report) {
        UpgradeAttempt attempt = attempt(name);
        receive(new AttemptProgress(machine(name), status(name).uid(), attempt.id(), report, now));
    }

    void step(String name, AttemptStep step) {
        report(name, new AttemptReport.StepReached(step, step.compareTo(AttemptStep.REFRESHING) >= 0 ? "42" : null));
    }

    void succeed(String name) {
        report(name, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3421", "v1.33.2"));
    }

    void fail(String name) {
        report(name, new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "snap said no"));
    }

    void quarantine(String name) {
        report(name, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "snap said never"));
    }

    static String uidOf(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The machines with an open attempt, by name. */
    List<String> inFlight() {
        List<String> names = new ArrayList<>();
        for (RowChange rowChange : rows.values()) {
            if (rowChange instanceof MachineStatus status && status.attempt() != null) {
                names.add(status.key().name());
            }
        }
        return names;
    }

    UpgradeAttempt attempt(String name) {
        MachineStatus status = status(name);
        if (status == null || status.attempt() == null) {
            throw new AssertionError(name + " has no attempt open; in flight: " + inFlight());
        }
        return status.attempt();
    }

    @Nullable
    MachineStatus status(String name) {
        return rows.get(new RowKey(Table.STATUS, machine(name))) instanceof MachineStatus status ? status : null;
    }

    RolloutEntry entry(String name) {
        MachineStatus status = status(name);
        if (status == null || status.entries().isEmpty()) {
            throw new AssertionError(name + " has no entry");
        }
        return status.entries().get(status.entries().size() - 1);
    }

    MachineOutcome outcome(String name) {
        return entry(name).outcome();
    }

    @Nullable
    WorkerCommand command(String name) {
        return rows.get(new RowKey(Table.COMMANDS, machine(name))) instanceof WorkerCommand command ? command : null;
    }

    /** The rejected records. */
    List<RejectedRecord> rejected() {
        return rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .toList();
    }

    /** The only rejected record. */
    RejectedRecord onlyRejection() {
        List<RejectedRecord> all = rejected();
        if (all.size() != 1) {
            throw new AssertionError("not one refusal but " + all);
        }
        return all.get(0);
    }

    CampaignStatus campaignStatus(String name) {
        return (CampaignStatus) Optional.ofNullable(rows.get(new RowKey(Table.CAMPAIGN_STATUS, new CampaignName(name))))
                .orElseThrow();
    }

    MachineExplanation explain(String name) {
        return MachineExplainer.explainMachine(state, gates, machine(name), now);
    }

    /** The labels of the gates that are closed for a machine now. */
    List<GateLabel> closed(String name) {
        return explain(name).closedGates().stream().map(ClosedGate::gate).toList();
    }

    List<DecisionEvent> events() {
        return decisions.stream().map(Decision::event).toList();
    }
}
