package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.intake.UnreadableRecordLimiter;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.Tombstone;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A site that writes unreadable records under new keys fills neither the memory nor the table of rejected records. */
class UnreadableRecordLimiterTest {
    private static final String INVENTORY = "flotilla.inventory.north";
    private static final int MANY = UnreadableRecordLimiter.MAX_LISTED_PER_SITE + 40;

    private final FleetScenario fleetScenario = FleetScenario.open();

    @ParameterizedTest
    @ValueSource(strings = {"%d", "machine/default/m%d", "cluster/default/c%d", "machine/%d"})
    void listsTheFirstRecordsAndOneRowForTheRest(String key) {
        unreadable(key, MANY);
        assertThat(rejected()).hasSize(UnreadableRecordLimiter.MAX_LISTED_PER_SITE + 1);
        assertThat(rejected().stream().map(RejectedRecord::problem))
                .anyMatch(says -> says.contains("256 rejected records") && says.contains("Find out what writes them"));
        assertThat(fleetScenario.state.clusters())
                .hasSizeLessThanOrEqualTo(UnreadableRecordLimiter.MAX_LISTED_PER_SITE);
    }

    @Test
    void stillListsRecordsOfOtherSitesAndOperators() {
        unreadable("%d", MANY);
        int before = rejected().size();
        fleetScenario.site(new SiteId("south"));
        fleetScenario.makeUnreadable("flotilla.inventory.south", "what is this");
        fleetScenario.makeUnreadable("flotilla.policies", "south");
        fleetScenario.makeUnreadable("flotilla.freezes", "fleet/freeze");
        assertThat(rejected()).hasSize(before + 3);
    }

    @Test
    void stillClosesKnownKeys() {
        fleetScenario.cluster("a", 0, 1);
        unreadable("%d", MANY);
        fleetScenario.makeUnreadable(INVENTORY, "machine/default/a-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-0")).contains(GateLabel.MACHINE_NOT_ELIGIBLE);
    }

    @Test
    void aRestoredLeaderKnowsTheSame() {
        fleetScenario.cluster("a", 0, 1);
        unreadable("machine/default/m%d", MANY);
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
    }

    @Test
    void removesTheOverflowRowWhenHalfAreReadable() {
        unreadable("machine/default/m%d", MANY);
        for (int i = 0; i < UnreadableRecordLimiter.MAX_LISTED_PER_SITE; i++) {
            fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("m" + i))));
        }
        assertThat(rejected()).isEmpty();
    }

    private void unreadable(String key, int many) {
        for (int i = 0; i < many; i++) {
            fleetScenario.makeUnreadable(INVENTORY, key.formatted(i));
        }
    }

    private List<RejectedRecord> rejected() {
        return fleetScenario.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .toList();
    }
}
