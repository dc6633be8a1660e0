package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.orchestrator.journal.Replay;
import dev.flotilla.orchestrator.journal.Shadow;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.simulator.run.RecordedRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Journals of simulated runs in which no site was away, with all their crashes, decided again. */
class ReplayedRunsTest {
    private static final int RUNS = 12;

    @Test
    void theSameInputsGiveTheSameDecisions() {
        int replayed = 0;
        for (long seed = 1; replayed < RUNS; seed++) {
            RecordedRun.Journal journal = RecordedRun.journal(seed);
            if (journal.whole()) {
                replayed++;
                List<Replay.Otherwise> different = new ArrayList<>();
                Replay replay = new Replay(FleetDecider.standard(), different::add);
                journal.records().forEach(replay::take);
                assertThat(different).as("differences in seed " + seed).isEmpty();
                assertThat(replay.decided()).as("decisions of seed " + seed).isPositive();
            }
        }
    }

    @Test
    void underTheSameRulesNothingStartsAtAnotherTime() {
        int shadowed = 0;
        for (long seed = 1; shadowed < RUNS; seed++) {
            RecordedRun.Journal journal = RecordedRun.journal(seed);
            if (journal.whole()) {
                shadowed++;
                List<Shadow.Difference> different = new ArrayList<>();
                Shadow shadow = shadow(List.of(), different, journal.records());
                assertThat(different).as("differences in seed " + seed).isEmpty();
                assertThat(shadow.starts()).as("starts of seed " + seed).isPositive();
            }
        }
    }

    @Test
    void underATighterCapMostWaitAndUnderAWiderOneSomeStartSooner() {
        List<Shadow.Difference> different = new ArrayList<>();
        Shadow tight =
                shadow(List.of(capped(1)), different, RecordedRun.journal(34).records());
        assertThat(tight.later()).isPositive();
        assertThat(tight.sooner()).isZero();
        assertThat(different)
                .isNotEmpty()
                .allSatisfy(difference -> assertThat(difference)
                        .isInstanceOfSatisfying(
                                Shadow.Difference.Later.class,
                                later -> assertThat(later.gate().gate()).isEqualTo(GateLabel.FLEET_CAP)));

        Shadow wide = shadow(
                List.of(capped(10_000)), different, RecordedRun.journal(34).records());
        assertThat(wide.sooner()).isPositive();
        assertThat(wide.later()).isZero();
    }

    private static Shadow shadow(
            List<Policy> policies, List<Shadow.Difference> different, List<JournalRecord> journal) {
        Shadow shadow = new Shadow(FleetDecider.standard(), Gates.standard(), policies, different::add);
        journal.forEach(shadow::take);
        shadow.end();
        return shadow;
    }

    private static Policy capped(int most) {
        return new Policy(Fleet.FLEET, new Limit.Count(most), null, false, null, null, null, null);
    }
}
