package dev.flotilla.core.fleet.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each machine has a row of its own, and every change of it changes its hash. */
class MachineTableTest {
    private static final SiteId SITE = new SiteId("north");

    private final MachineTable table = new MachineTable();
    private int row;

    @BeforeEach
    void aMachineWhoseDigestIsKnown() {
        row = table.findOrAdd(key("m"));
        table.putRow(row, MachineRowBuilder.of(SITE, "c", "m").build());
        table.stateHash().quickly();
    }

    private static MachineKey key(String name) {
        return new MachineKey(SITE, "default", name);
    }

    @Test
    void namesWithEqualHashAreTwoMachines() {
        MachineKey one = key("m-an");
        MachineKey other = key("m-c0");
        assertThat(one.name()).hasSameHashCodeAs(other.name());
        int first = table.findOrAdd(one);
        int second = table.findOrAdd(other);
        assertThat(table.key(first)).isEqualTo(one);
        assertThat(table.key(second)).isEqualTo(other);
        assertThat(table.find(one)).isEqualTo(first);
        assertThat(table.find(other)).isEqualTo(second);
    }

    @Test
    void theRowOfADroppedMachineIsReused() {
        table.clearRow(row);
        table.drop(row);
        assertThat(table.find(key("m"))).isNegative();
        assertThat(table.findOrAdd(key("n"))).isEqualTo(row);
        assertThat(table.has(row, -1)).as("any flag").isFalse();
        assertThat(table.rows()).isEqualTo(row + 1);
    }

    @Test
    void theIncrementalHashFollowsAClearedRow() {
        table.clearRow(row);
        assertThat(table.stateHash().quickly()).isEqualTo(table.stateHash().all());
    }

    @Test
    void theIncrementalHashFollowsTheOwner() {
        ClusterState home = new ClusterState(0, new ClusterKey(SITE, "default", "c"), new SiteState(SITE));
        table.owner(
                row, table.owners().addMachine(home, new MachineRow.MachineOwner(OwnerKind.MACHINE_DEPLOYMENT, "o")));
        assertThat(table.stateHash().quickly()).isEqualTo(table.stateHash().all());
    }
}
