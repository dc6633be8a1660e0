package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which rows and journal records of many decisions go into one transaction. */
class DecisionBatchTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final SiteId SOUTH = new SiteId("south");
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final FleetHead HEAD =
            new FleetHead(3, 9, NOW, "hash", 1, true, List.of(new PartitionOffset(Table.ORDERS, 0, 3)));

    private final DecisionBatch batch = new DecisionBatch(new FleetState(), "it");

    private void add(long seq, DecisionEvent event, RowChange... facts) {
        Decision decision = new Decision(seq, NOW, event, NORTH, "why", List.of(facts));
        batch.add(decision, DecisionBatch.journalRecordOf(decision, "hash of " + (seq - 1)));
    }

    private static SiteStatus accepted(SiteId site, String order) {
        return SiteStatus.of(site).withAcceptedRemoval(order);
    }

    @Test
    void writesTheLastRowOfAKeyInTheOrderOfItsDecision() {
        add(7, DecisionEvent.ORDER_APPLIED, accepted(NORTH, "first"));
        add(8, DecisionEvent.ORDER_APPLIED, accepted(SOUTH, "only"));
        add(9, DecisionEvent.ORDER_APPLIED, accepted(NORTH, "second"));
        assertThat(batch.rows().values()).containsExactly(accepted(SOUTH, "only"), accepted(NORTH, "second"));
        assertThat(batch.seq(accepted(NORTH, "second").rowKey())).isEqualTo(9);
        assertThat(batch.seq(accepted(SOUTH, "only").rowKey())).isEqualTo(8);
    }

    @Test
    void theJournalKeepsEveryRowChange() {
        add(7, DecisionEvent.ORDER_APPLIED, accepted(NORTH, "first"));
        add(8, DecisionEvent.ORDER_APPLIED, accepted(NORTH, "second"));
        assertThat(batch.decisions()).extracting(Decision::seq).containsExactly(7L, 8L);
        assertThat(batch.journal()).hasSize(2).first().satisfies(said -> {
            assertThat(said.seq()).isEqualTo(7);
            assertThat(said.event()).isEqualTo(DecisionEvent.ORDER_APPLIED.label());
            assertThat(said.subject()).isEqualTo("north");
            assertThat(said.reason()).isEqualTo("why");
            assertThat(said.changes()).containsExactly(accepted(NORTH, "first"));
            assertThat(said.previousHash()).isEqualTo("hash of 6");
        });
    }

    @Test
    void inputRowsAreJournaledButNotWritten() {
        WatcherHeartbeat heartbeat = new WatcherHeartbeat(NORTH, "uid", "watcher", NOW, 0);
        add(7, DecisionEvent.SITE_CHANGED, heartbeat);
        assertThat(batch.rows()).isEmpty();
        assertThat(batch.journal().get(0).changes()).containsExactly(heartbeat);
    }

    @Test
    void theJournalHasTheHeadRowOnlyWhenATermStarts() {
        add(7, DecisionEvent.LEADER_ELECTED, HEAD);
        add(8, DecisionEvent.SITE_CHANGED, HEAD, accepted(NORTH, "order"));
        assertThat(batch.journal().get(0).changes()).containsExactly(HEAD);
        assertThat(batch.journal().get(1).changes()).containsExactly(accepted(NORTH, "order"));
    }

    @Test
    void aRowWithoutADecisionHasTheNumberOfTheHead() {
        batch.putHead(HEAD);
        assertThat(batch.head()).isEqualTo(HEAD);
        assertThat(batch.seq(HEAD.rowKey())).isEqualTo(9);
        assertThat(batch.rows().values()).containsExactly(HEAD);
    }

    @Test
    void aCheckpointIsJournaledAndWritesNothing() {
        Decision part =
                new Decision(7, NOW, DecisionEvent.CHAPTER_STARTED, NORTH, "", List.of(accepted(NORTH, "order")));
        batch.addCheckpoint(part, DecisionBatch.journalRecordOf(part, "hash"));
        assertThat(batch.rows()).isEmpty();
        assertThat(batch.decisions()).containsExactly(part);
        assertThat(batch.journal()).hasSize(1);
    }

    @Test
    void aSitesHeadIsWrittenAndPutIntoTheState() {
        SiteHead head = SiteHead.of(NORTH).withSilentSince(NOW);
        batch.putHead(head);
        assertThat(batch.siteHeads()).containsExactly(Map.entry(NORTH, head));
        assertThat(batch.rows().values()).containsExactly(head);
        assertThat(batch.state().site(NORTH)).extracting(SiteState::head).isEqualTo(head);
    }

    @Test
    void theFleetsHeadIsPutIntoTheState() {
        batch.putHead(HEAD);
        assertThat(batch.state().head()).isEqualTo(HEAD);
    }

    @Test
    void knowsItsLeaderAndWhetherWorkIsLeft() {
        assertThat(batch.leader()).isEqualTo("it");
        assertThat(batch.isNothingDue()).isFalse();
        batch.setNothingDue(true);
        assertThat(batch.isNothingDue()).isTrue();
    }
}
