package dev.flotilla.core.fleet.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gates are evaluated in order, once for everything behind them, and a machine that can start is found. */
class NextStartSelectorTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final SiteId SOUTH = new SiteId("south");
    private static final Instant AT = Instant.parse("2026-03-01T00:00:00Z");

    private final FleetState state = new FleetState();
    private final List<String> asked = new ArrayList<>();
    private BiPredicate<GateLevel, String> closed = (level, machine) -> false;
    private Instant now = AT;

    private final GateEvaluator gateEvaluator = (level, candidate) -> {
        String machine = candidate.machine().key().name();
        asked.add(level + " " + machine);
        return !closed.test(level, machine);
    };

    @BeforeEach
    void oneClusterOfTwoMachinesInEachOfTwoSites() {
        state.put(
                new LastAcceptedPolicy(new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, null)));
        cluster(NORTH, "a", "a1", "a2");
        cluster(SOUTH, "b", "b1", "b2");
        campaign("up", 1);
    }

    private void cluster(SiteId site, String name, String... machines) {
        state.put(SiteHead.of(site));
        ClusterKey key = new ClusterKey(site, "default", name);
        state.put(new ClusterRow(key, "uid-" + name, Labels.NONE, false, false, null, 0, machines.length));
        for (String machine : machines) {
            state.put(MachineRowBuilder.of(site, name, machine).build());
        }
    }

    private void campaign(String name, long uid) {
        state.put(CampaignBuilder.named(name).running(uid));
        state.put(WaveStatus.of(new WaveKey(new CampaignName(name), "all"), uid).withOpenedAt(AT));
    }

    private @Nullable String next() {
        state.refreshDerivedState(gateEvaluator, now);
        return found();
    }

    /** The search alone, with the counts of before. */
    private @Nullable String found() {
        asked.clear();
        StartCandidate found = state.selectNextStart(gateEvaluator, now, 1);
        return found == null ? null : found.machine().key().name();
    }

    @Test
    void startsAMachineWithoutClosedGates() {
        assertThat(next()).isEqualTo("a1");
        assertThat(asked).containsExactly("FLEET a1", "SITE a1", "ROLLOUT a1", "CLUSTER a1");
    }

    @Test
    void aFleetGateIsEvaluatedOnceForAll() {
        campaign("other", 2);
        closed = (level, machine) -> level == GateLevel.FLEET;
        assertThat(next()).isNull();
        assertThat(asked).hasSize(1);
        assertThat(found()).as("at the same instant").isNull();
        assertThat(asked).isEmpty();
        closed = (level, machine) -> false;
        now = now.plusSeconds(1);
        assertThat(found()).isEqualTo("a1");
    }

    @Test
    void evaluatesChangesAtTheSameInstant() {
        closed = (level, machine) -> level == GateLevel.FLEET;
        assertThat(next()).isNull();
        closed = (level, machine) -> false;
        state.put(SiteHead.of(NORTH));
        assertThat(found()).isEqualTo("a1");
    }

    @Test
    void aSiteGateSkipsTheSiteForThisSearch() {
        closed = (level, machine) -> level == GateLevel.SITE && machine.startsWith("a");
        assertThat(next()).isEqualTo("b1");
        closed = (level, machine) -> false;
        assertThat(found()).isEqualTo("a1");
    }

    /** Skipped candidates return, also when another gate ended the search. */
    @Test
    void aSkippedSiteIsEvaluatedAgainAfterAFleetGateClosed() {
        closed = (level, machine) -> level == GateLevel.SITE && machine.startsWith("a")
                || level == GateLevel.FLEET && machine.startsWith("b");
        assertThat(next()).isNull();
        assertThat(asked).containsExactly("FLEET a1", "SITE a1", "FLEET b1");
        closed = (level, machine) -> false;
        now = now.plusSeconds(1);
        assertThat(found()).isEqualTo("a1");
    }

    @Test
    void aRolloutGateIsEvaluatedOnceForTheMachinesOfASite() {
        cluster(NORTH, "a-too", "x1");
        closed = (level, machine) -> level == GateLevel.ROLLOUT;
        assertThat(next()).isNull();
        assertThat(asked).filteredOn(each -> each.startsWith("ROLLOUT")).hasSize(2);
    }

    /** The clock went back, or the window closes. */
    @Test
    void findsAnotherMachineOfTheClusterWhenOneNoLongerFits() {
        closed = (level, machine) -> level == GateLevel.SITE && machine.startsWith("b");
        state.refreshDerivedState(gateEvaluator, now);
        closed = (level, machine) -> level == GateLevel.SITE && machine.startsWith("b")
                || level == GateLevel.CLUSTER && machine.equals("a1");
        assertThat(found()).isEqualTo("a2");
    }

    @Test
    void rolloutsThatShareSlotsAreOrderedByTheirMachinesInFlight() {
        campaign("two", 2);
        campaign("one", 3);
        state.put(MachineRowBuilder.of(NORTH, "a", "flying-1").build());
        state.put(MachineRowBuilder.of(NORTH, "a", "flying-2").build());
        state.put(MachineRowBuilder.of(NORTH, "a", "flying-3").build());
        startAttempt("flying-1", "up", 1);
        startAttempt("flying-2", "up", 1);
        startAttempt("flying-3", "two", 2);
        state.refreshDerivedState(gateEvaluator, now);
        closed = (level, machine) -> level == GateLevel.ROLLOUT;
        List<String> order = new ArrayList<>();
        state.selectNextStart(
                (level, candidate) -> {
                    if (level == GateLevel.ROLLOUT) {
                        order.add(((CampaignRollout) candidate.rollout()).name().name());
                    }
                    return level != GateLevel.ROLLOUT;
                },
                now,
                1);
        assertThat(order.stream().distinct()).containsExactly("one", "two", "up");
    }

    private void startAttempt(String machine, String campaign, long uid) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(new CampaignName(campaign), uid);
        state.put(new MachineStatus(
                new MachineKey(NORTH, "default", machine),
                MachineRowBuilder.of(NORTH, "a", machine).build().uid(),
                new UpgradeAttempt(
                        1,
                        rolloutRef,
                        UpgradeTarget.parse("channel=1.34-classic"),
                        new AttemptState.Admitted(AT),
                        AT,
                        false,
                        null),
                null,
                List.of(new RolloutEntry(rolloutRef, "all", 0, null, MachineOutcome.OPEN))));
    }
}
