package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineBuilder;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
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

/** What annotations ask for in a site, and how its machines stand to that. */
class IntentsRolloutTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final Instant AT = Instant.parse("2026-03-01T00:00:00Z");
    private static final UpgradeTarget OPTION = UpgradeTarget.parse("channel=1.34-classic");

    private final Inventory inventory = new Inventory(new ObjectBoard());
    private final IntentsRollout rollout =
            new IntentsRollout(inventory.site(NORTH), new SiteTargets(inventory.machines));
    private MachineRow row = MachineBuilder.of(NORTH, "c", "m").build();
    private Cluster cluster = inventory.cluster(row.clusterKey());

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

    private Standing standing() {
        return rollout.standing(cluster, new Machine(inventory.machines, inventory.machines.find(row.key())));
    }

    /** A machine's status as far as its own intent is concerned. */
    private MachineStatus status(@Nullable UpgradeAttempt attempt, int failed) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(row.key(), AT);
        return new MachineStatus(
                row.key(), row.uid(), attempt, null, List.of(new RolloutEntry(rolloutRef, "", failed, null, MachineOutcome.OPEN)));
    }

    private static UpgradeAttempt attempt(RolloutRef rolloutRef) {
        return new UpgradeAttempt(1, rolloutRef, OPTION, new AttemptState.Admitted(AT), AT, false, null);
    }

    static Stream<Arguments> attempts() {
        RolloutRef others = new RolloutRef.CampaignRef(new CampaignName("up"), 1);
        RolloutRef own =
                new RolloutRef.IntentRef(MachineBuilder.of(NORTH, "c", "m").build().key(), AT);
        return Stream.of(
                Arguments.of(null, 0, Standing.FRESH),
                Arguments.of(null, 1, Standing.FAILED),
                Arguments.of(attempt(own), 0, Standing.IN_FLIGHT),
                Arguments.of(attempt(own), 1, Standing.RETRYING),
                Arguments.of(attempt(others), 0, Standing.FRESH),
                Arguments.of(attempt(others), 1, Standing.FAILED));
    }

    @ParameterizedTest(name = "{0} after {1} failures: {2}")
    @MethodSource("attempts")
    void anAttemptForTheAnnotationIsInFlightAndAFailureIsKept(
            @Nullable UpgradeAttempt attempt, int failed, Standing standing) {
        inventory.put(status(attempt, failed));
        assertThat(standing()).isEqualTo(standing);
    }

    @Test
    void aMachineThatOptsOutIsSkippedOnceItHasBegunAndElseNoMember() {
        row = MachineBuilder.of(NORTH, "c", "m").optedOut().build();
        inventory.put(row);
        assertThat(standing()).isEqualTo(Standing.NONE);
        inventory.put(status(null, 1));
        assertThat(standing()).isEqualTo(Standing.SKIPPED);
    }

    @Test
    void anotherRuleIsNewsForThoseObjectsAloneAboutWhoseAnnotationsItSaysOtherwise() {
        OwnerKey owner = new OwnerKey(NORTH, OwnerKind.MACHINE_DEPLOYMENT, "default", "workers");
        ask(owner, "uid", UpgradeTarget.parse("channel=1.35-classic"));
        assertThat(rollout.follow(IntentRule.DEFAULT.withTargetPatterns(List.of("channel=1.34*"))))
                .containsExactly(owner);
        assertThat(standing()).isEqualTo(Standing.FRESH);
        assertThat(rollout.follow(IntentRule.DEFAULT)).containsExactly(owner);
    }

    @Test
    void concernsTheClustersOfItsSiteAsLongAsAnythingIsAskedFor() {
        assertThat(rollout.concerns(cluster)).isTrue();
        assertThat(rollout.concerns(inventory.cluster(new ClusterKey(new SiteId("south"), "default", "c"))))
                .isFalse();
        rollout.put(row.key(), null);
        assertThat(rollout.concerns(cluster)).isFalse();
        assertThat(standing()).isEqualTo(Standing.NONE);
    }

    @Test
    void countsTheMachinesOfItsSiteAndHasNoFailureBudget() {
        assertThat(rollout.site()).isSameAs(inventory.site(NORTH));
        assertThat(rollout.machinesInAll()).isEqualTo(1);
        assertThat(rollout.hasBudget()).isFalse();
    }
}
