package dev.flotilla.core.fleet.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.RevisionVersionIndex;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The intents of a site and the progress of its machines. */
class SiteIntentsRolloutTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final Instant AT = Instant.parse("2026-03-01T00:00:00Z");
    private static final UpgradeTarget OPTION = UpgradeTarget.parse("channel=1.34-classic");

    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final SiteIntentsRollout rollout =
            new SiteIntentsRollout(inventory.site(NORTH), new RevisionVersionIndex(inventory.machines()));
    private MachineRow row = MachineRowBuilder.of(NORTH, "c", "m").build();
    private ClusterState cluster = inventory.cluster(row.clusterKey());

    @BeforeEach
    void oneMachine() {
        inventory.put(row);
        ask(row.key(), row.uid(), OPTION);
    }

    private UpgradeIntent ask(ObjectKey object, String uid, UpgradeTarget option) {
        UpgradeIntent intent = new UpgradeIntent(object, uid, option, AT);
        rollout.put(object, intent);
        return intent;
    }

    private MachineProgressState progressState() {
        return rollout.progressStateOf(
                cluster,
                new MachineView(inventory.machines(), inventory.machines().find(row.key())));
    }

    /** A machine's status for its own intent. */
    private MachineStatus status(@Nullable UpgradeAttempt attempt, int failed) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(row.key(), AT);
        return new MachineStatus(
                row.key(),
                row.uid(),
                attempt,
                null,
                List.of(new RolloutEntry(rolloutRef, "", failed, null, MachineOutcome.OPEN)));
    }

    private static UpgradeAttempt attempt(RolloutRef rolloutRef) {
        return new UpgradeAttempt(1, rolloutRef, OPTION, new AttemptState.Admitted(AT), AT, false, null);
    }

    static Stream<Arguments> attempts() {
        RolloutRef others = new RolloutRef.CampaignRef(new CampaignName("up"), 1);
        RolloutRef own = new RolloutRef.IntentRef(
                MachineRowBuilder.of(NORTH, "c", "m").build().key(), AT);
        return Stream.of(
                Arguments.of(null, 0, MachineProgressState.NOT_STARTED),
                Arguments.of(null, 1, MachineProgressState.AWAITING_RETRY),
                Arguments.of(attempt(own), 0, MachineProgressState.IN_FLIGHT),
                Arguments.of(attempt(own), 1, MachineProgressState.RETRYING),
                Arguments.of(attempt(others), 0, MachineProgressState.NOT_STARTED),
                Arguments.of(attempt(others), 1, MachineProgressState.AWAITING_RETRY));
    }

    @ParameterizedTest(name = "{0} after {1} failures: {2}")
    @MethodSource("attempts")
    void anAttemptForTheIntentIsInFlightAndAFailureIsKept(
            @Nullable UpgradeAttempt attempt, int failed, MachineProgressState machineProgressState) {
        inventory.put(status(attempt, failed));
        assertThat(progressState()).isEqualTo(machineProgressState);
    }

    @Test
    void aMachineThatOptsOutIsSkippedIfStartedAndOtherwiseNoMember() {
        row = MachineRowBuilder.of(NORTH, "c", "m").optedOut().build();
        inventory.put(row);
        assertThat(progressState()).isEqualTo(MachineProgressState.NONE);
        inventory.put(status(null, 1));
        assertThat(progressState()).isEqualTo(MachineProgressState.SKIPPED);
    }

    @Test
    void aChangedRuleAffectsOnlyObjectsWhoseIntentsItDecidesDifferently() {
        OwnerKey owner = new OwnerKey(NORTH, OwnerKind.MACHINE_DEPLOYMENT, "default", "workers");
        ask(owner, "uid", UpgradeTarget.parse("channel=1.35-classic"));
        assertThat(rollout.applyRule(IntentRule.DEFAULT.withTargetPatterns(List.of("channel=1.34*"))))
                .containsExactly(owner);
        assertThat(progressState()).isEqualTo(MachineProgressState.NOT_STARTED);
        assertThat(rollout.applyRule(IntentRule.DEFAULT)).containsExactly(owner);
    }

    @Test
    void affectsTheClustersOfItsSiteWhileItHasIntents() {
        assertThat(rollout.mayHaveMembersIn(cluster)).isTrue();
        assertThat(rollout.mayHaveMembersIn(inventory.cluster(new ClusterKey(new SiteId("south"), "default", "c"))))
                .isFalse();
        rollout.put(row.key(), null);
        assertThat(rollout.mayHaveMembersIn(cluster)).isFalse();
        assertThat(progressState()).isEqualTo(MachineProgressState.NONE);
    }

    @Test
    void countsTheMachinesOfItsSiteAndHasNoFailureBudget() {
        assertThat(rollout.site()).isSameAs(inventory.site(NORTH));
        assertThat(rollout.totalMachines()).isEqualTo(1);
        assertThat(rollout.hasBudget()).isFalse();
    }
}
