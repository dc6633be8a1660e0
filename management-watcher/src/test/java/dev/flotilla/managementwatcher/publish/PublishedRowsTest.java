package dev.flotilla.managementwatcher.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublishedRowsTest {
    private static final ClusterKey KEY = new ClusterKey(new SiteId("east"), "fleet", "blue");

    private final PublishedRows publishedRows = new PublishedRows();

    @Test
    void keepsTheReasonOfARejectedRowUntilItIsValid() {
        assertThat(publishedRows.encodeIfChanged(in(""))).isNotNull();
        assertThat(publishedRows.unreadableReason(KEY)).contains("timeZone");
        assertThat(publishedRows.encodeIfChanged(in("Europe/Berlin"))).isNotNull();
        assertThat(publishedRows.unreadableReason(KEY)).isNull();
    }

    private static ClusterRow in(@Nullable String zone) {
        return new ClusterRow(KEY, "u", Labels.NONE, false, false, zone, 3, 2);
    }
}
