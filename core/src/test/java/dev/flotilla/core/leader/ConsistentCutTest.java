package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A consistent cut over all tables. */
class ConsistentCutTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final FleetHead HEAD =
            new FleetHead(1, 7, Instant.EPOCH, "hash", 1, true, List.of(new PartitionOffset(Table.ORDERS, 0, 3)));
    private static final SiteHead SITE_HEAD =
            new SiteHead(NORTH, null, null, 0, List.of(), List.of(new PartitionOffset(Table.PROGRESS, 2, 40)));

    private final Map<SiteId, SiteHead> sites = new LinkedHashMap<>(Map.of(NORTH, SITE_HEAD));
    private final ConsistentCut consistentCut = new ConsistentCut(HEAD, sites);

    @Test
    void containsRowsUpToItsHead() {
        assertThat(consistentCut.hasSeq(7)).isTrue();
        assertThat(consistentCut.hasSeq(8)).isFalse();
    }

    @Test
    void tellsHowFarEachInputIsDecidedOn() {
        assertThat(consistentCut.decidedUpTo(TablePartition.of(Table.ORDERS))).isEqualTo(3);
        assertThat(consistentCut.decidedUpTo(new TablePartition(Table.PROGRESS, NORTH, 2)))
                .isEqualTo(40);
    }

    @Test
    void anInputWithoutAHeadRowIsNotDecidedOn() {
        assertThat(consistentCut.decidedUpTo(TablePartition.of(Table.FREEZES))).isZero();
        assertThat(consistentCut.decidedUpTo(new TablePartition(Table.PROGRESS, NORTH, 1)))
                .isZero();
        assertThat(consistentCut.decidedUpTo(new TablePartition(Table.PROGRESS, new SiteId("south"), 2)))
                .isZero();
    }

    @Test
    void doesNotChange() {
        sites.clear();
        assertThat(consistentCut.sites()).containsExactly(Map.entry(NORTH, SITE_HEAD));
    }
}
