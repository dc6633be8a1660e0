package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.AttemptStep;
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

/** The state is the rows: whoever reads them, in whatever order, decides the same. */
class RestoreTest {

    @RepeatedTest(10)
    void rowsInAnyOrderGiveTheSameStateAndTheSameNextDecisions(RepetitionInfo repetition) {
        Scene scene = busy();
        List<RowChange> rows = new ArrayList<>(scene.rows.values());
        Collections.shuffle(rows, new Random(repetition.getCurrentRepetition()));
        FleetState restored = new FleetState();
        rows.forEach(restored::put);

        assertThat(restored.hash()).isEqualTo(scene.state.hash());
        Input later = new Input.Due(scene.now.plus(Duration.ofHours(3)));
        assertThat(decisions(restored, later)).isEqualTo(decisions(scene.state, later));
    }

    @Test
    void aStateThatMissesARowHasAnotherHash() {
        Scene scene = busy();
        Map<Class<?>, Integer> seen = new LinkedHashMap<>();
        for (RowChange left : scene.rows.values()) {
            if (seen.merge(left.getClass(), 1, Integer::sum) > 3
                    || left instanceof Tombstone
                    || left instanceof dev.flotilla.schemas.row.WorkerCommand
                    || left instanceof dev.flotilla.schemas.row.AttemptProgress
                    || left instanceof dev.flotilla.schemas.row.UpgradePolicy) {
                continue;
            }
            FleetState restored = new FleetState();
            scene.rows.values().stream().filter(row -> !row.equals(left)).forEach(restored::put);
            assertThat(restored.hash()).as("without %s", left.rowKey()).isNotEqualTo(scene.state.hash());
        }
    }

    @RepeatedTest(2)
    void theQuickHashMissesNothingThatIsPut(RepetitionInfo repetition) {
        Scene scene = busy();
        List<RowChange> puts = new ArrayList<>(scene.rows.values());
        scene.rows.keySet().forEach(at -> puts.add(new Tombstone(at)));
        puts.addAll(scene.rows.values());
        Collections.shuffle(puts, new Random(repetition.getCurrentRepetition()));
        FleetState state = new FleetState();
        for (RowChange put : puts) {
            state.put(put);
            assertThat(state.quickHash()).as("after %s", put).isEqualTo(state.hash());
        }
    }

    @Test
    void puttingARowTwiceChangesNothing() {
        Scene scene = busy();
        long hash = scene.state.hash();
        scene.rows.values().forEach(scene.state::put);
        assertThat(scene.state.hash()).isEqualTo(hash);
        scene.state.settle(scene.gates, scene.now);
        int foreign = 1;
        assertThat(scene.state.inFlight()).isEqualTo(scene.inFlight().size() + foreign);
    }

    @Test
    void dueWorkThatWasCutOffIsFoundAgain() {
        Scene scene = Scene.open();
        scene.cluster("a", 0, 9);
        FleetState state = new FleetState();
        scene.rows.values().forEach(state::put);
        Brain brain = new Brain(FleetDecider.standard(), state);
        List<Decision> decided = new ArrayList<>();
        int first =
                brain.take(new Input.Arrived(CampaignBuilder.named("up").build(), 0, 0, scene.now), 3, decided::add);
        assertThat(first).isEqualTo(3);
        int rest = brain.due(scene.now, 100, decided::add);
        assertThat(rest).isEqualTo(8);
        assertThat(decided.stream().filter(d -> d.event() == Event.ATTEMPT_ADMITTED))
                .hasSize(9);
    }

    @Test
    void timeNeverGoesBack() {
        Scene scene = Scene.open();
        scene.cluster("a", 0, 1);
        scene.take(new Input.Arrived(CampaignBuilder.named("up").build(), 0, 0, scene.now.minus(Duration.ofHours(1))));
        assertThat(scene.decisions.getLast().at()).isEqualTo(scene.now);
        assertThat(scene.attempt("a-w-0").since()).isEqualTo(scene.now);
    }

    @Test
    void everyDecisionHasTheNextNumber() {
        Scene scene = busy();
        long seq = 0;
        for (Decision decision : scene.decisions) {
            assertThat(decision.seq()).isEqualTo(++seq);
        }
        assertThat(scene.state.head().seq()).isEqualTo(seq);
    }

    private static List<Decision> decisions(FleetState state, Input input) {
        List<Decision> decisions = new ArrayList<>();
        new Brain(FleetDecider.standard(), state).take(input, 1000, decisions::add);
        return decisions;
    }

    /** A fleet in the middle of everything. */
    private static Scene busy() {
        Scene scene = Scene.open();
        scene.cap(7);
        scene.cluster("a", 3, 4);
        scene.cluster(Scene.SITE, "b", 1, 6, CampaignBuilder.labels("ring", "canary"));
        scene.cluster("c", 0, 5);
        scene.campaign(CampaignBuilder.named("up")
                .wave("canary", CampaignBuilder.where("ring", "canary"), false, 60)
                .wave("rest", LabelSelector.ALL, true, 100)
                .budget(6)
                .build());
        scene.campaign(CampaignBuilder.named("other")
                .target("revision=5")
                .priority(3)
                .maxUnavailable(2)
                .build());
        scene.ask(Scene.deployment("c"), "revision=4");
        scene.ask(Scene.controlPlane("gone"), "revision=4");
        scene.step("b-cp-0", AttemptStep.STARTING);
        scene.succeed("b-cp-0");
        scene.order(new OperatorOrderKey.ApproveWave(new CampaignName("up"), "rest"), OperatorOrder.OrderVerb.APPROVE);
        for (int round = 0; round < 4; round++) {
            List<String> flying = scene.inFlight();
            for (int i = 0; i < flying.size(); i++) {
                switch ((round + i) % 5) {
                    case 0 -> scene.succeed(flying.get(i));
                    case 1 -> scene.fail(flying.get(i));
                    case 2 -> scene.step(flying.get(i), AttemptStep.REFRESHING);
                    case 3 -> scene.report(flying.get(i), new AttemptReport.OutcomeUnknown("crashed"));
                    default -> scene.report(flying.get(i), new AttemptReport.Deferred("busy"));
                }
            }
            scene.pass(Duration.ofSeconds(40));
        }
        scene.arrive(
                MachineBuilder.like(scene.row("c-w-4")).doing(ForeignActivity.FOREIGN).build());
        scene.arrive(new WatcherHeartbeat(Scene.SITE, "uid-of-north", "w", scene.now, 0));
        scene.poison("flotilla.inventory.north", "machine/default/c-w-2");
        scene.poison("flotilla.policies", "south");
        return scene;
    }
}
