package dev.flotilla.core.fleet.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When windows open and close, and when they must be checked again. */
class MaintenanceCalendarsTest {
    private static final TimeZoneName ZONE = new TimeZoneName("Etc/Here");
    private static final long HOUR = 3_600_000;

    private final Map<PolicyScope, UpgradePolicy> policies = new LinkedHashMap<>();
    private final MaintenanceCalendars calendars = new MaintenanceCalendars(policies);
    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final ClusterState cluster = inventory.cluster(new ClusterKey(new SiteId("north"), "default", "c"));
    private final CampaignRollout from2to4 = rollout(new MaintenanceWindow(List.of(), null, 2 * 60, 4 * 60, ZONE));

    private CampaignRollout rollout(MaintenanceWindow... windows) {
        return new CampaignRollout(
                inventory.machines(),
                CampaignBuilder.named("up").window(windows).running(1));
    }

    @BeforeEach
    void theZoneIsAtUtc() {
        calendars.put(ZONE, new TimeZoneRules(ZONE, 0, List.of()));
    }

    @Test
    void newTimeZoneRulesCountAtOnce() {
        assertThat(calendars.closesAt(from2to4, cluster, 3 * HOUR)).isEqualTo(4 * HOUR);
        calendars.put(ZONE, new TimeZoneRules(ZONE, -3600, List.of()));
        assertThat(calendars.closesAt(from2to4, cluster, 3 * HOUR)).isEqualTo(5 * HOUR);
        assertThat(calendars.closesAt(from2to4, cluster, 5 * HOUR)).isEqualTo(LocalTimeCalculator.CLOSED);
    }

    @Test
    void aWindowFitsAnUpgradeOfItsOwnLength() {
        assertThat(calendars.opensAt(from2to4, cluster, HOUR, 2 * HOUR)).isEqualTo(Instant.ofEpochMilli(2 * HOUR));
        assertThat(calendars.opensAt(from2to4, cluster, HOUR, 2 * HOUR + 1)).isNull();
    }

    @Test
    void checksAgainExactlyWhenAWindowOpens() {
        assertThat(calendars.pollEdges(List.of(from2to4), HOUR)).isTrue();
        assertThat(calendars.nextEdge()).isEqualTo(2 * HOUR);
        assertThat(calendars.pollEdges(List.of(from2to4), 2 * HOUR - 1)).isFalse();
        assertThat(calendars.pollEdges(List.of(from2to4), 2 * HOUR)).isTrue();
        assertThat(calendars.nextEdge()).isEqualTo(4 * HOUR);
    }

    @Test
    void checksNothingWithoutWindows() {
        assertThat(calendars.pollEdges(List.of(rollout()), HOUR)).isFalse();
        assertThat(calendars.nextEdge()).isEqualTo(LocalTimeCalculator.NEVER);
    }
}
