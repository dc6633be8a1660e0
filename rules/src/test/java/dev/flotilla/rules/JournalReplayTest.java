package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.journal.DecisionDifference;
import dev.flotilla.orchestrator.journal.DecisionReplay;
import dev.flotilla.orchestrator.journal.PolicyWhatIfReplay;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.simulator.run.AuditedSimulationRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Replays journals of simulated runs with crashes. Leaves out runs in which a leader took over while a site was
 * unreachable, because it did not know that site's rows, which the journal has.
 */
class JournalReplayTest {
    private static final long MAX_SEEDS = 100;

    /** As of the last change of the world it shows both what is searched for, and AuditedSimulationsTest runs it too. */
    private static final long FIRST_SEARCHED_SEED = 21;

    private static final int REPLAYED_RUNS = 50;
    private static final int WHAT_IF_RUNS = 12;
    private static final int SEEDS_AT_ONCE = 16;
    private static final int BLIND_RUNS = 12;

    @Test
    void replayMakesTheSameDecisions() {
        wholeJournals(REPLAYED_RUNS).parallelStream().forEach(journal -> {
            List<DecisionDifference> different = new ArrayList<>();
            DecisionReplay decisionReplay = new DecisionReplay(FleetDecider.standard(), different::add);
            journal.records().forEach(decisionReplay::replayRecord);
            assertThat(different).as("differences in seed " + journal.seed()).isEmpty();
            assertThat(decisionReplay.replayedDecisions())
                    .as("decisions of seed " + journal.seed())
                    .isPositive();
        });
    }

    /** The first journals that replay whole, in the order of their seeds. Several seeds run at once. */
    private static List<AuditedSimulationRun.SeedJournal> wholeJournals(int count) {
        return journals(count, AuditedSimulationRun.SeedJournal::whole);
    }

    private static List<AuditedSimulationRun.SeedJournal> journals(
            int count, Predicate<AuditedSimulationRun.SeedJournal> wanted) {
        List<AuditedSimulationRun.SeedJournal> found = new ArrayList<>();
        for (long seed = 1; found.size() < count; seed += SEEDS_AT_ONCE) {
            found.addAll(LongStream.range(seed, seed + SEEDS_AT_ONCE)
                    .parallel()
                    .mapToObj(JournalReplayTest::journal)
                    .filter(wanted)
                    .toList());
        }
        return found.subList(0, count);
    }

    private static AuditedSimulationRun.SeedJournal journal(long seed) {
        return AuditedSimulationRun.of(seed).journal();
    }

    /** Few runs qualify: in most, a leader takes over while a site is unreachable. */
    @Test
    void replayMakesTheSameDecisionsWhileASiteIsUnreachable() {
        AuditedSimulationRun.SeedJournal journal = LongStream.range(
                        FIRST_SEARCHED_SEED, FIRST_SEARCHED_SEED + MAX_SEEDS)
                .mapToObj(JournalReplayTest::journal)
                .filter(each -> each.whole() && each.away())
                .findFirst()
                .orElseThrow();
        List<DecisionDifference> different = new ArrayList<>();
        DecisionReplay decisionReplay = new DecisionReplay(FleetDecider.standard(), different::add);
        journal.records().forEach(decisionReplay::replayRecord);
        assertThat(different).isEmpty();
        assertThat(journal.records())
                .filteredOn(record -> record.event().equals("site-changed"))
                .anySatisfy(record -> assertThat(record.reason()).startsWith("unreachable"));
    }

    /** A leader that takes over while a site is unreachable decides without the site's rows. */
    @Test
    void countsNoDifferenceOfALeaderThatDoesNotKnowASite() {
        List<AuditedSimulationRun.SeedJournal> blind =
                journals(BLIND_RUNS, journal -> journal.byLeaders() && !journal.whole());
        assertThat(blind).hasSize(BLIND_RUNS);
        List<DecisionDifference> different = new ArrayList<>();
        long uncertain = 0;
        for (AuditedSimulationRun.SeedJournal journal : blind) {
            DecisionReplay decisionReplay = new DecisionReplay(FleetDecider.standard(), different::add);
            journal.records().forEach(decisionReplay::replayRecord);
            uncertain += decisionReplay.uncertainDecisions();
            assertThat(different).as("differences in seed " + journal.seed()).isEmpty();
        }
        assertThat(uncertain).isPositive();
    }

    /** Each start is a difference in itself: the replay goes on from what is recorded. */
    @Test
    void stricterVersionMakesNoneOfTheStarts() {
        for (AuditedSimulationRun.SeedJournal journal : wholeJournals(WHAT_IF_RUNS)) {
            List<DecisionDifference> different = differences(journal, candidate -> false);
            List<Long> starts = starts(journal);
            assertThat(different.stream()
                            .filter(each -> each.kind() == DecisionDifference.Kind.NOT_DECIDED)
                            .map(each -> each.record().seq())
                            .filter(starts::contains)
                            .toList())
                    .as("starts of seed " + journal.seed())
                    .isEqualTo(starts);
        }
    }

    /** What the looser version would start is reported once, until the journal starts it. */
    @Test
    void looserVersionMakesEachStartOnce() {
        long different = 0;
        for (AuditedSimulationRun.SeedJournal journal : wholeJournals(WHAT_IF_RUNS)) {
            List<DecisionDifference> found = differences(journal, candidate -> true);
            assertThat(found)
                    .as("differences in seed " + journal.seed())
                    .noneMatch(each -> each.kind() == DecisionDifference.Kind.NOT_DECIDED
                            || each.kind() == DecisionDifference.Kind.FAILURE);
            assertThat(found.size())
                    .as("differences of seed " + journal.seed())
                    .isLessThanOrEqualTo(starts(journal).size() + 1);
            different += found.size();
        }
        assertThat(different).isPositive();
    }

    private static List<Long> starts(AuditedSimulationRun.SeedJournal journal) {
        return journal.records().stream()
                .filter(record -> record.event().equals(DecisionEvent.ATTEMPT_ADMITTED.label()))
                .map(JournalRecord::seq)
                .toList();
    }

    /** The differences of a version with another fleet cap. */
    private static List<DecisionDifference> differences(
            AuditedSimulationRun.SeedJournal journal, Predicate<StartCandidate> isOpen) {
        List<DecisionDifference> different = new ArrayList<>();
        GateChain gates = GateChain.standard()
                .with(
                        GateLabel.FLEET_CAP,
                        gate -> new Gate(gate.label(), gate.level(), gate.leaseEffect(), isOpen, gate.explain()));
        DecisionReplay decisionReplay = new DecisionReplay(new FleetDecider(gates), different::add);
        journal.records().forEach(decisionReplay::replayRecord);
        return different;
    }

    @Test
    void samePolicyGivesTheSameStarts() {
        for (AuditedSimulationRun.SeedJournal journal : wholeJournals(WHAT_IF_RUNS)) {
            List<PolicyWhatIfReplay.StartDifference> different = new ArrayList<>();
            PolicyWhatIfReplay policyWhatIfReplay = replayWithPolicy(List.of(), different, journal.records());
            assertThat(different).as("differences in seed " + journal.seed()).isEmpty();
            assertThat(policyWhatIfReplay.countStarts())
                    .as("starts of seed " + journal.seed())
                    .isPositive();
        }
    }

    /** Searches for a seed in which a lower cap makes starts wait and a higher cap makes them earlier. */
    @Test
    void lowerCapDelaysStartsAndHigherCapAdvancesThem() {
        assertThat(LongStream.range(FIRST_SEARCHED_SEED, FIRST_SEARCHED_SEED + MAX_SEEDS)
                        .mapToObj(seed -> journal(seed).records())
                        .anyMatch(journal -> waitsUnderALowerCap(journal) && startsSoonerUnderAHigherCap(journal)))
                .as("a seed among %d that shows both", MAX_SEEDS)
                .isTrue();
    }

    private static boolean waitsUnderALowerCap(List<JournalRecord> journal) {
        List<PolicyWhatIfReplay.StartDifference> different = new ArrayList<>();
        PolicyWhatIfReplay tight = replayWithPolicy(List.of(capped(1)), different, journal);
        return tight.countLaterStarts() > 0
                && tight.countEarlierStarts() == 0
                && !different.isEmpty()
                && different.stream()
                        .allMatch(startDifference ->
                                startDifference instanceof PolicyWhatIfReplay.StartDifference.LaterStart laterStart
                                        && laterStart.gate().gate() == GateLabel.FLEET_CAP);
    }

    private static boolean startsSoonerUnderAHigherCap(List<JournalRecord> journal) {
        PolicyWhatIfReplay wide = replayWithPolicy(List.of(capped(10_000)), new ArrayList<>(), journal);
        return wide.countEarlierStarts() > 0 && wide.countLaterStarts() == 0;
    }

    private static PolicyWhatIfReplay replayWithPolicy(
            List<UpgradePolicy> policies,
            List<PolicyWhatIfReplay.StartDifference> different,
            List<JournalRecord> journal) {
        PolicyWhatIfReplay policyWhatIfReplay =
                new PolicyWhatIfReplay(FleetDecider.standard(), GateChain.standard(), policies, different::add);
        journal.forEach(policyWhatIfReplay::replayRecord);
        policyWhatIfReplay.finishReplay();
        return policyWhatIfReplay;
    }

    private static UpgradePolicy capped(int most) {
        return new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(most), null, false, null, null, null, null);
    }
}
