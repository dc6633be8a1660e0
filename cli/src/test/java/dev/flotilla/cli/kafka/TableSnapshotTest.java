package dev.flotilla.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TableSnapshotTest {
    private static final SiteId EAST = new SiteId("east");

    /** Only the upgrade's own restart ends by itself. */
    @Test
    void aForecastCountsAMachineAsReadyThatIsNotReadyDuringItsUpgrade() {
        MachineKey upgraded = new MachineKey(EAST, "fleet", "upgraded");
        MachineKey broken = new MachineKey(EAST, "fleet", "broken");
        TableSnapshot tables = new TableSnapshot(
                new ConsistentCut(FleetHead.NONE, Map.of()),
                List.of(notReady(upgraded), notReady(broken), open(upgraded)),
                List.of(),
                Set.of(EAST),
                List.of());
        assertThat(machine(tables, upgraded).ready()).isTrue();
        assertThat(machine(tables, upgraded).inFlight()).isTrue();
        assertThat(machine(tables, broken).ready()).isFalse();
    }

    private static MachineView machine(TableSnapshot tables, MachineKey key) {
        return Objects.requireNonNull(tables.forecastState().machine(key));
    }

    private static MachineStatus open(MachineKey key) {
        UpgradeAttempt attempt = new UpgradeAttempt(
                7,
                new RolloutRef.CampaignRef(new CampaignName("up"), 3),
                new UpgradeTarget.Revision("7"),
                new AttemptState.Admitted(Instant.EPOCH),
                Instant.EPOCH,
                false,
                null);
        return new MachineStatus(key, "uid-" + key.name(), attempt, null, List.of());
    }

    private static MachineRow notReady(MachineKey key) {
        return new MachineRow(
                key,
                "uid-" + key.name(),
                "k1",
                null,
                MachineRole.WORKER,
                Labels.NONE,
                key.name(),
                null,
                null,
                false,
                false,
                false,
                false,
                false,
                null,
                "v1.32.1",
                "1000",
                "amd64",
                List.of());
    }
}
