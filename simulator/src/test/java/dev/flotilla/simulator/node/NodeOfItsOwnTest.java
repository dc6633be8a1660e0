package dev.flotilla.simulator.node;

import static dev.flotilla.simulator.node.LoneNode.CALM;
import static dev.flotilla.simulator.node.LoneNode.MINUTE;
import static dev.flotilla.simulator.node.LoneNode.NEW;
import static dev.flotilla.simulator.node.LoneNode.OLD;
import static dev.flotilla.simulator.node.LoneNode.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to a node without a call of ours: it refreshes by itself, vanishes, is mended. */
class NodeOfItsOwnTest {

    @Test
    void aRefreshByItselfIsNoCallOfOurs() {
        LoneNode lone = new LoneNode(CALM);
        lone.node.refreshesItself(NEW);

        assertThat(lone.node.busy()).isTrue();
        lone.settle();
        assertThat(lone.node.revision()).isEqualTo(NEW);
        assertThat(lone.ledger.calls()).isEmpty();
        assertThat(lone.ledger.maxInFlight()).isZero();
    }

    @Test
    void aCallDuringARefreshByItselfIsAConflict() {
        LoneNode lone = new LoneNode(CALM);
        lone.node.refreshesItself(NEW);

        assertThat(lone.call()).isInstanceOf(CallOutcome.Conflict.class);
    }

    @Test
    void aNodeThatIsBusyDoesNotRefreshByItself() {
        LoneNode lone = new LoneNode(CALM);
        lone.begin();
        lone.node.refreshesItself(NEW + 1);
        lone.settle();

        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aNodeThatAlwaysFailsStillRefreshesByItself() {
        LoneNode lone = new LoneNode(CALM.alwaysFailing());
        lone.node.refreshesItself(NEW);
        lone.settle();

        assertThat(lone.node.revision()).isEqualTo(NEW);
    }

    @Test
    void aVanishedNodeAnswersNobodyAndEndsNothing() {
        LoneNode lone = new LoneNode(CALM);
        String change = lone.begin();
        lone.pass(MINUTE);
        lone.node.vanish();

        assertThat(lone.node.gone()).isTrue();
        assertThat(lone.node.ready()).isFalse();
        assertThat(lone.node.busy()).isFalse();
        assertThat(lone.status(change)).isNull();
        assertThat(lone.call()).isInstanceOf(CallOutcome.NotSent.class);
        assertThat(lone.ledger.inFlight()).isZero();
        lone.pass(2 * USUAL);
        assertThat(lone.node.revision()).isEqualTo(OLD);
        assertThat(lone.ledger.inFlight()).isZero();
    }

    @Test
    void aVanishedNodeDoesNotRefreshByItself() {
        LoneNode lone = new LoneNode(CALM);
        lone.node.vanish();
        lone.node.refreshesItself(NEW);

        assertThat(lone.node.busy()).isFalse();
    }

    @Test
    void aMendedNodeAnswersAgain() {
        LoneNode lone = new LoneNode(CALM);
        lone.node.setBadCredentials(true);
        lone.node.away(USUAL);

        lone.node.mend();

        assertThat(lone.node.ready()).isTrue();
        assertThat(lone.call()).isInstanceOf(CallOutcome.Accepted.class);
    }

    @Test
    void whoWatchesANodeIsToldWhenSomethingChanges() {
        LoneNode lone = new LoneNode(CALM);
        List<String> seen = new ArrayList<>();
        lone.node.watch(() -> seen.add(lone.node.revision() + (lone.node.ready() ? " ready" : " not ready")));
        lone.begin();
        lone.settle().pass(MINUTE);

        assertThat(seen).containsExactly(OLD + " not ready", NEW + " not ready", NEW + " ready");
    }

    @Test
    void equalSeedsGiveEqualNodes() {
        NodeTemper varying = NodeTemper.calm(USUAL, 80);
        List<Long> ends = new ArrayList<>();
        for (int seed : new int[] {5, 5, 6}) {
            LoneNode lone = new LoneNode(varying, seed);
            lone.begin();
            ends.add(lone.settle().scheduler.now());
        }
        assertThat(ends.get(0)).isEqualTo(ends.get(1)).isNotEqualTo(ends.get(2));
    }
}
