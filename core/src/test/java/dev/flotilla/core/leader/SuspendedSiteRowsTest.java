package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import org.junit.jupiter.api.Test;

/** Which rows are withheld while a site is suspended. */
class SuspendedSiteRowsTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");

    private final SuspendedSiteRows<String> rows = new SuspendedSiteRows<>();

    @Test
    void withholdsTheNewestRowOfEachKeyUntilTheSiteIsResumed() {
        rows.suspendSite(EAST);
        assertThat(rows.withholdIfSuspended(accepted(EAST, "first"), "first")).isTrue();
        assertThat(rows.withholdIfSuspended(accepted(EAST, "second"), "second")).isTrue();
        assertThat(rows.withholdIfSuspended(accepted(WEST, "other"), "other")).isFalse();
        assertThat(rows.withholdIfSuspended(SiteHead.of(EAST), "head"))
                .as("other sites' leaders need it")
                .isFalse();
        assertThat(rows.all().values()).containsExactly(accepted(EAST, "second"));
        assertThat(rows.resumeSite(EAST)).containsExactly("second");
        assertThat(rows.resumeSite(EAST)).isEmpty();
        assertThat(rows.withholdIfSuspended(accepted(EAST, "third"), "third")).isFalse();
    }

    /** The tables of a site that is read late hold an older row than the one that was decided in the meantime. */
    @Test
    void aWithheldRowIsNewerThanWhatTheTablesHold() {
        FleetState read = new FleetState();
        read.put(accepted(EAST, "old"));
        rows.suspendSite(EAST);
        rows.withholdIfSuspended(accepted(EAST, "new"), "new");
        rows.reapplyRows(EAST, read);

        FleetState expected = new FleetState();
        expected.put(accepted(EAST, "new"));
        assertThat(read.hash()).isEqualTo(expected.hash());
    }

    private static SiteStatus accepted(SiteId site, String order) {
        return SiteStatus.of(site).withAcceptedRemoval(order);
    }
}
