package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queries of deciders to the state. */
class FleetStateTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final WaveKey CANARY = new WaveKey(UP, "canary");
    private static final WaveKey REST = new WaveKey(UP, "rest");

    private final FleetState state = new FleetState();

    @Test
    void findsTheWaveRowsOfACampaignByName() {
        for (WaveKey wave : List.of(REST, new WaveKey(new CampaignName("other"), "all"), CANARY)) {
            state.put(WaveStatus.of(wave, 1));
        }
        assertThat(state.waveRows(UP)).containsExactly(CANARY, REST);
    }

    @Test
    void hasUnreadableAfterAnUnreadableRecord() {
        assertThat(state.hasUnreadable()).isFalse();
        state.put(new RejectedRecord(
                new RejectedRecordKey("flotilla.policies", 0, "fleet"),
                1,
                RejectionReason.NOT_JSON,
                "",
                "?",
                "not JSON",
                Instant.EPOCH));
        assertThat(state.hasUnreadable()).isTrue();
    }

    /** Only its status is known, which says nothing about its node. */
    @Test
    void aMachineWithoutARowHasNoOtherNode() {
        MachineRow row = MachineRowBuilder.of(new SiteId("north"), "c", "m").build();
        MachineTable table = new MachineTable();
        MachineView machine =
                new MachineView(table, table.findOrAdd(new MachineKey(new SiteId("north"), "default", "m")));
        assertThat(machine.isOtherNode(row)).isFalse();
    }
}
