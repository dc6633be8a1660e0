package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines by owner, compared with plain collections. */
class MachineOwnerTableTest {
    private static final SiteId SITE = new SiteId("north");
    private static final int MACHINES = 100;

    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final MachineOwnerTable owners = inventory.machines().owners();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsTheMachinesOfAnOwnerAfterAnyChanges(long seed) {
        Random random = new Random(seed);
        TreeMap<String, MachineRow> plain = new TreeMap<>();
        for (int i = 0; i < 600; i++) {
            String name = "m-" + random.nextInt(MACHINES);
            if (random.nextInt(3) == 0) {
                inventory.remove(key(name));
                plain.remove(name);
            } else {
                // An owner's name determines the cluster, except for a few that two clusters claim.
                int cluster = random.nextInt(8);
                String owner = random.nextInt(5) == 0 ? "shared" : "of-" + cluster;
                MachineRow row = row(name, "c-" + cluster, random.nextInt(6) == 0 ? null : owner);
                inventory.put(row);
                plain.put(name, row);
            }
            OwnerKey owner = owner(random.nextInt(4) == 0 ? "shared" : "of-" + random.nextInt(8));
            assertThat(inventory.machinesOf(owner).stream()
                            .map(machine -> machine.key().name()))
                    .containsExactlyInAnyOrderElementsOf(plain.values().stream()
                            .filter(row ->
                                    row.owner() != null && row.owner().name().equals(owner.name()))
                            .map(row -> row.key().name())
                            .toList());
        }
        for (MachineRow row : plain.values()) {
            MachineView machine =
                    new MachineView(inventory.machines(), inventory.machines().find(row.key()));
            assertThat(machine.matchesRow(row)).isTrue();
            assertThat(machine.matchesRow(row(row.key().name(), row.cluster(), "another")))
                    .isFalse();
        }
    }

    @Test
    void anOwnersIntentAppliesToAllItsMachinesUntilTheLastIsDeleted() {
        inventory.put(row("a", "c", "o"));
        inventory.put(row("b", "c", "o"));
        inventory.put(row("c", "c", "other"));
        UpgradeIntent intent = new UpgradeIntent(owner("o"), "uid", UpgradeTarget.parse("revision=1"), Instant.EPOCH);
        assertThat(owners.setIntent(owner("o"), intent))
                .containsExactly(inventory.cluster(new ClusterKey(SITE, "default", "c")));
        assertThat(asked("a")).isEqualTo(intent);
        assertThat(asked("b")).isEqualTo(intent);
        assertThat(asked("c")).isNull();
        inventory.remove(key("a"));
        assertThat(asked("b")).isEqualTo(intent);
        inventory.remove(key("b"));
        assertThat(owners.setIntent(owner("o"), intent)).isEmpty();
    }

    @Test
    void anOwnerOfTwoClustersHasAnIntentInBoth() {
        inventory.put(row("a", "later", "o"));
        inventory.put(row("b", "earlier", "o"));
        assertThat(owners.setIntent(owner("o"), null))
                .extracting(ClusterState::key)
                .containsExactly(new ClusterKey(SITE, "default", "earlier"), new ClusterKey(SITE, "default", "later"));
    }

    @Test
    void anOwnerWithoutMachinesIsForgotten() {
        inventory.put(row("a", "c", "o"));
        int number = inventory.machines().owner(inventory.machines().find(key("a")));
        owners.setIntent(
                owner("o"), new UpgradeIntent(owner("o"), "uid", UpgradeTarget.parse("revision=1"), Instant.EPOCH));
        inventory.remove(key("a"));
        assertThat(owners.get(number)).isNull();
        assertThat(owners.intent(number)).isNull();
        assertThatThrownBy(() -> owners.key(number)).hasMessage("owner " + number + " has no machines");
    }

    @Test
    void theNumberOfAForgottenOwnerIsReused() {
        for (int i = 0; i < 1_000; i++) {
            inventory.put(row("m", "c", "o-" + i));
            inventory.put(row("n", "c", "o-" + i));
        }
        assertThat(inventory.machines().owner(inventory.machines().find(key("m"))))
                .isLessThanOrEqualTo(2);
    }

    @Test
    void anotherOwnerChangesTheStateHash() {
        inventory.put(row("a", "c", "o"));
        long one = inventory.machines().stateHash().all();
        inventory.put(row("a", "c", "p"));
        assertThat(inventory.machines().stateHash().all()).isNotEqualTo(one);
        inventory.put(row("a", "c", "o"));
        assertThat(inventory.machines().stateHash().all()).isEqualTo(one);
    }

    private @Nullable UpgradeIntent asked(String machine) {
        return new MachineView(inventory.machines(), inventory.machines().find(key(machine))).ownersIntent();
    }

    private static MachineKey key(String name) {
        return new MachineKey(SITE, "default", name);
    }

    private static OwnerKey owner(String name) {
        return new OwnerKey(SITE, OwnerKind.MACHINE_DEPLOYMENT, "default", name);
    }

    private static MachineRow row(String name, String cluster, @Nullable String owner) {
        MachineRowBuilder machine = MachineRowBuilder.of(SITE, cluster, name);
        return (owner == null ? machine : machine.owner(OwnerKind.MACHINE_DEPLOYMENT, owner)).build();
    }
}
