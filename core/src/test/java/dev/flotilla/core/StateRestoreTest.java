package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The state is determined by its rows: reading them in any order gives the same decisions. */
class StateRestoreTest {

    @RepeatedTest(10)
    void rowsInAnyOrderGiveTheSameStateAndTheSameNextDecisions(RepetitionInfo repetition) {
        FleetScenario fleetScenario = busy();
        List<RowChange> rows = new ArrayList<>(fleetScenario.rows.values());
        Collections.shuffle(rows, new Random(repetition.getCurrentRepetition()));
        FleetState restored = new FleetState();
        rows.forEach(restored::put);

        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
        DecisionInput later = new DecisionInput.TimePassed(fleetScenario.now.plus(Duration.ofHours(3)));
        assertThat(decisions(restored, later)).isEqualTo(decisions(fleetScenario.state, later));
    }

    @Test
    void aMissingRowChangesTheHash() {
        FleetScenario fleetScenario = busy();
        Map<Class<?>, Integer> seen = new LinkedHashMap<>();
        for (RowChange left : fleetScenario.rows.values()) {
            if (seen.merge(left.getClass(), 1, Integer::sum) > 3
                    || left instanceof Tombstone
                    || left instanceof dev.flotilla.schemas.row.WorkerCommand
                    || left instanceof dev.flotilla.schemas.row.AttemptProgress
                    || left instanceof dev.flotilla.schemas.row.UpgradePolicy) {
                continue;
            }
            FleetState restored = new FleetState();
            fleetScenario.rows.values().stream()
                    .filter(row -> !row.equals(left))
                    .forEach(restored::put);
            assertThat(restored.hash()).as("without %s", left.rowKey()).isNotEqualTo(fleetScenario.state.hash());
        }
    }

    @RepeatedTest(2)
    void theIncrementalHashMatchesTheFullHash(RepetitionInfo repetition) {
        FleetScenario fleetScenario = busy();
        List<RowChange> puts = new ArrayList<>(fleetScenario.rows.values());
        fleetScenario.rows.keySet().forEach(at -> puts.add(new Tombstone(at)));
        puts.addAll(fleetScenario.rows.values());
        Collections.shuffle(puts, new Random(repetition.getCurrentRepetition()));
        FleetState state = new FleetState();
        for (RowChange put : puts) {
            state.put(put);
            assertThat(state.quickHash()).as("after %s", put).isEqualTo(state.hash());
        }
    }

    @Test
    void puttingARowTwiceChangesNothingMore() {
        FleetScenario fleetScenario = busy();
        long hash = fleetScenario.state.hash();
        fleetScenario.rows.values().forEach(fleetScenario.state::put);
        assertThat(fleetScenario.state.hash()).isEqualTo(hash);
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        int foreign = 1;
        assertThat(fleetScenario.state.inFlight())
                .isEqualTo(fleetScenario.inFlight().size() + foreign);
    }

    @Test
    void dueWorkBeyondTheLimitIsFoundAgain() {
        FleetScenario fleetScenario = FleetScenario.open();
        fleetScenario.cluster("a", 0, 9);
        FleetState state = new FleetState();
        fleetScenario.rows.values().forEach(state::put);
        DecisionEngine decisionEngine = new DecisionEngine(FleetDecider.standard(), state);
        List<Decision> decided = new ArrayList<>();
        int first = decisionEngine.processInput(
                new DecisionInput.RecordReceived(CampaignBuilder.named("up").build(), 0, 0, fleetScenario.now),
                3,
                decided::add);
        assertThat(first).isEqualTo(3);
        int rest = decisionEngine.decideDueWork(fleetScenario.now, 100, decided::add);
        assertThat(rest).isEqualTo(8);
        assertThat(decided.stream().filter(d -> d.event() == DecisionEvent.ATTEMPT_ADMITTED))
                .hasSize(9);
    }

    @Test
    void timeNeverGoesBack() {
        FleetScenario fleetScenario = FleetScenario.open();
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.decide(new DecisionInput.RecordReceived(
                CampaignBuilder.named("up").build(), 0, 0, fleetScenario.now.minus(Duration.ofHours(1))));
        assertThat(fleetScenario.decisions.getLast().at()).isEqualTo(fleetScenario.now);
        assertThat(fleetScenario.attempt("a-w-0").admittedAt()).isEqualTo(fleetScenario.now);
    }

    @Test
    void everyDecisionHasTheNextNumber() {
        FleetScenario fleetScenario = busy();
        long seq = 0;
        for (Decision decision : fleetScenario.decisions) {
            assertThat(decision.seq()).isEqualTo(++seq);
        }
        assertThat(fleetScenario.state.head().seq()).isEqualTo(seq);
    }

    private static List<Decision> decisions(FleetState state, DecisionInput input) {
        List<Decision> decisions = new ArrayList<>();
        new DecisionEngine(FleetDecider.standard(), state).processInput(input, 1000, decisions::add);
        return decisions;
    }

    /** A fleet with everything in progress. */
    private static FleetScenario busy() {
        FleetScenario fleetScenario = FleetScenario.open();
        fleetScenario.cap(7);
        fleetScenario.cluster("a", 3, 4);
        fleetScenario.cluster(FleetScenario.SITE, "b", 1, 6, CampaignBuilder.labels("ring", "canary"));
        fleetScenario.cluster("c", 0, 5);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave("canary", CampaignBuilder.where("ring", "canary"), false, 60)
                .wave("rest", LabelSelector.ALL, true, 100)
                .budget(6)
                .build());
        fleetScenario.campaign(CampaignBuilder.named("other")
                .target("revision=5")
                .priority(3)
                .maxUnavailable(2)
                .build());
        fleetScenario.requestUpgrade(FleetScenario.deployment("c"), "revision=4");
        fleetScenario.requestUpgrade(FleetScenario.controlPlane("gone"), "revision=4");
        fleetScenario.step("b-cp-0", AttemptStep.STARTING);
        fleetScenario.succeed("b-cp-0");
        fleetScenario.order(
                new OperatorOrderKey.ApproveWave(new CampaignName("up"), "rest"), OperatorOrder.OrderVerb.APPROVE);
        for (int round = 0; round < 4; round++) {
            List<String> flying = fleetScenario.inFlight();
            for (int i = 0; i < flying.size(); i++) {
                switch ((round + i) % 5) {
                    case 0 -> fleetScenario.succeed(flying.get(i));
                    case 1 -> fleetScenario.fail(flying.get(i));
                    case 2 -> fleetScenario.step(flying.get(i), AttemptStep.REFRESHING);
                    case 3 -> fleetScenario.report(flying.get(i), new AttemptReport.OutcomeUnknown("crashed"));
                    default -> fleetScenario.report(flying.get(i), new AttemptReport.Deferred("busy"));
                }
            }
            fleetScenario.advance(Duration.ofSeconds(40));
        }
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("c-w-4"))
                .doing(ForeignActivity.FOREIGN)
                .build());
        fleetScenario.receive(new WatcherHeartbeat(FleetScenario.SITE, "uid-of-north", "w", fleetScenario.now, 0));
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/c-w-2");
        fleetScenario.makeUnreadable("flotilla.policies", "south");
        return fleetScenario;
    }
}
