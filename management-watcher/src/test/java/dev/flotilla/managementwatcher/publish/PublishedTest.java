package dev.flotilla.managementwatcher.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublishedTest {
    private static final ClusterKey KEY = new ClusterKey(new SiteId("east"), "fleet", "blue");

    private final Published published = new Published();

    @Test
    void saysWhatIsWrongWithARowThatNobodyCanReadUntilItIsRight() {
        assertThat(published.toWrite(in(""))).isNotNull();
        assertThat(published.unreadable(KEY)).contains("timeZone");
        assertThat(published.toWrite(in("Europe/Berlin"))).isNotNull();
        assertThat(published.unreadable(KEY)).isNull();
    }

    private static ClusterRow in(@Nullable String zone) {
        return new ClusterRow(KEY, "u", Labels.NONE, false, false, zone, 3, 2);
    }
}
