package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clusters are counted again only when a row about them or their machines changes. */
class FleetInventoryTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final SiteId SOUTH = new SiteId("south");
    private static final MachineKey KEY = new MachineKey(NORTH, "default", "m");
    private static final MachineRow MACHINE =
            MachineRowBuilder.of(NORTH, "c", "m").build();
    private static final RolloutRef UP = new RolloutRef.CampaignRef(new CampaignName("up"), 12);
    private static final AttemptState ADMITTED = new AttemptState.Admitted(Instant.EPOCH);
    private static final MachineStatus ENDED = status(null, MachineOutcome.SUCCEEDED);

    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final MachineStatusTable statuses = inventory.machines().statuses();

    private static ClusterKey cluster(SiteId site, String name) {
        return new ClusterKey(site, "default", name);
    }

    private static MachineStatus status(@Nullable UpgradeAttempt attempt, MachineOutcome outcome) {
        return new MachineStatus(
                KEY, MACHINE.uid(), attempt, null, List.of(new RolloutEntry(UP, "w", 0, null, outcome)));
    }

    private static UpgradeAttempt attemptIn(String cluster) {
        return new UpgradeAttempt(
                7,
                UP,
                new UpgradeTarget.Revision("7"),
                ADMITTED,
                Instant.EPOCH,
                false,
                new AttemptMachineSnapshot(cluster, MachineRole.WORKER));
    }

    /** The clusters that must be counted again; calling this clears them. */
    private List<String> touched() {
        List<String> names = new ArrayList<>();
        for (ClusterState next = inventory.nextTouched(); next != null; next = inventory.nextTouched()) {
            names.add(Objects.requireNonNullElse(next.name(), "nowhere"));
        }
        return names;
    }

    @Test
    void aClusterIsCountedAgainWithoutItsRow() {
        inventory.cluster(cluster(NORTH, "c"));
        inventory.cluster(cluster(NORTH, "d"));
        inventory.remove(cluster(NORTH, "c"));
        assertThat(touched()).containsExactly("c");
    }

    @Test
    void aSiteAffectsItsOwnClusters() {
        inventory.cluster(cluster(NORTH, "c"));
        inventory.cluster(cluster(NORTH, "d"));
        inventory.cluster(cluster(SOUTH, "e"));
        inventory.touch(inventory.site(NORTH));
        assertThat(touched()).containsExactlyInAnyOrder("c", "d");
    }

    @Test
    void aMachineIsStoredWhereItIsFound() {
        inventory.put(MACHINE);
        MachineRow other = MachineRowBuilder.of(NORTH, "c", "other").build();
        assertThat(inventory.put(other)).isEqualTo(inventory.machines().find(other.key()));
    }

    @Test
    void aStatusBelongsToTheMachineItWasWrittenFor() {
        inventory.put(MACHINE);
        int row = inventory.put(ENDED);
        inventory.put(
                MachineRowBuilder.of(NORTH, "c", "m").uid("of its successor").build());
        assertThat(statuses.get(row)).isEqualTo(ENDED);
    }

    @Test
    void aStatusIsCompactWhileItsMachineExists() {
        int row = inventory.put(ENDED);
        assertThat(statuses.isSmall(row)).isFalse();
        inventory.put(MACHINE);
        assertThat(statuses.isSmall(row)).isTrue();
        inventory.remove(KEY);
        assertThat(statuses.isSmall(row)).isFalse();
        assertThat(statuses.get(row)).isEqualTo(ENDED);
    }

    @Test
    void anAttemptCountsInItsClusterUntilItsStatusIsDeleted() {
        int row = inventory.put(MACHINE);
        touched();
        inventory.put(status(attemptIn("before"), MachineOutcome.OPEN));
        ClusterState before = inventory.cluster(cluster(NORTH, "before"));
        assertThat(before.departed()).isOne();
        assertThat(touched()).containsExactlyInAnyOrder("c", "before");
        inventory.removeStatus(row);
        assertThat(before.departed()).isZero();
        assertThat(touched()).containsExactlyInAnyOrder("c", "before");
    }

    static Stream<UnaryOperator<MachineRowBuilder>> identities() {
        return Stream.of(
                machine -> machine.providerId("provider://one-node"),
                machine -> machine.providerId(null).systemUuid("0123abcd-4567-4e89-8abc-def012345678"));
    }

    @ParameterizedTest
    @MethodSource("identities")
    void theStatusOfAMachineAffectsItsDuplicates(UnaryOperator<MachineRowBuilder> node) {
        int row =
                inventory.put(node.apply(MachineRowBuilder.of(NORTH, "c", "m")).build());
        inventory.put(node.apply(MachineRowBuilder.of(SOUTH, "twins", "m")).build());
        touched();
        inventory.put(status(attemptIn("c"), MachineOutcome.OPEN));
        assertThat(touched()).containsExactlyInAnyOrder("c", "twins");
        inventory.removeStatus(row);
        assertThat(touched()).containsExactlyInAnyOrder("c", "twins");
    }

    @Test
    void newDuplicatesAffectTheirClustersOnce() {
        inventory.put(MachineRowBuilder.of(NORTH, "c", "m")
                .providerId("provider://one-node")
                .build());
        touched();
        inventory.put(MachineRowBuilder.of(SOUTH, "twins", "m")
                .providerId("provider://one-node")
                .build());
        assertThat(touched()).containsExactlyInAnyOrder("c", "twins");
        inventory.put(MachineRowBuilder.of(NORTH, "other", "o").build());
        assertThat(touched()).containsExactly("other");
    }

    @Test
    void onlyTheStepOfAnAttemptAffectsNothing() {
        inventory.put(MACHINE);
        MachineStatus open = status(attemptIn("c"), MachineOutcome.OPEN);
        inventory.put(open);
        touched();
        inventory.put(open.with(attemptIn("c").withState(new AttemptState.Unknown(Instant.EPOCH))));
        assertThat(touched()).isEmpty();
        inventory.put(open.with(attemptIn("c").withCancellation()));
        assertThat(touched()).containsExactly("c");
    }

    @Test
    void anUnreadableMachineAffectsItsCluster() {
        inventory.put(MACHINE);
        touched();
        inventory.unreadable(KEY, true);
        assertThat(touched()).containsExactly("c");
        inventory.unreadable(KEY, false);
        assertThat(touched()).containsExactly("c");
        assertThat(inventory.machines().find(KEY)).isNotNegative();
    }

    @Test
    void anUnreadableUnknownMachineIsKnownUntilItIsReadable() {
        inventory.unreadable(KEY, false);
        assertThat(inventory.machines().find(KEY)).isNegative();
        assertThat(inventory.placeholderClusters()).isEmpty();
        inventory.unreadable(KEY, true);
        assertThat(inventory.machines().find(KEY)).isNotNegative();
        assertThat(touched()).containsExactly("nowhere");
        assertThat(inventory.placeholderClusters())
                .extracting(cluster -> cluster.size())
                .containsExactly(1);
        inventory.unreadable(KEY, false);
        assertThat(inventory.machines().find(KEY)).isNegative();
        assertThat(touched()).containsExactly("nowhere");
        assertThat(inventory.placeholderClusters())
                .extracting(cluster -> cluster.size())
                .containsExactly(0);
    }

    @Test
    void aForgottenMachineAffectsMachinesWithoutAnInventoryRow() {
        int row = inventory.put(ENDED);
        touched();
        inventory.removeStatus(row);
        assertThat(touched()).containsExactly("nowhere");
        inventory.put(MACHINE);
        touched();
        inventory.remove(KEY);
        assertThat(touched()).containsExactlyInAnyOrder("c", "nowhere");
    }
}
