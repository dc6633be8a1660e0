package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of two clusters in which a machine may start, which goes first. */
class ShareTest {
    private static final Site SITE = new Site(new SiteId("north"));

    private final IntentsRollout rollout = new IntentsRollout(SITE, new SiteTargets(new MachineTable()));
    private final List<Share> shares = new ArrayList<>();

    @BeforeEach
    void someClusters() {
        for (int i = 0; i < 20; i++) {
            Share share = new Share(rollout, new Cluster(new ClusterKey(SITE.id(), "default", "c" + i), SITE));
            share.rank = 2;
            share.chain = 5;
            shares.add(share);
        }
    }

    @Test
    void aLowerRankGoesFirstThenALongerChain() {
        for (Share one : shares) {
            for (Share other : shares) {
                one.rank = 1;
                one.chain = 1;
                assertThat(one == other || one.order() < other.order()).isTrue();
                one.rank = 2;
                one.chain = 6;
                assertThat(one == other || one.order() < other.order()).isTrue();
                one.chain = 5;
            }
        }
    }

    @Test
    void aChainLongerThanAnyCountsAsTheLongest() {
        Share share = shares.get(0);
        share.chain = (1 << 24) - 1;
        long longest = share.order();
        share.chain = 1 << 24;
        assertThat(share.order()).isEqualTo(longest);
        share.chain = (1 << 24) - 2;
        assertThat(share.order()).isGreaterThan(longest);
    }

    @Test
    void ofEqualsTheyGoAsTheirNamesAreSpread() {
        for (Share one : shares) {
            for (Share other : shares) {
                boolean before = one.cluster.spread < other.cluster.spread;
                assertThat(one.before(other)).isEqualTo(before);
                assertThat(one.order() < other.order())
                        .isEqualTo(before && one.cluster.spread >> 32 != other.cluster.spread >> 32);
            }
        }
    }

    @Test
    void aLaneGoesAsItsFirstClusterDoes() {
        for (Share one : shares) {
            for (Share other : shares) {
                Lane lane = new Lane(SITE, 1);
                lane.shares.put(one);
                Lane beside = new Lane(SITE, 2);
                Share copy = new Share(rollout, other.cluster);
                beside.shares.put(copy);
                assertThat(lane.before(beside)).isEqualTo(one.before(copy));
                assertThat(lane.order()).isEqualTo(one.order());
                lane.shares.remove(one);
                assertThat(lane.isEmpty()).isTrue();
            }
        }
    }

    @Test
    void hasNothingToDoWhereItHasNoMemberAndNothingOfMachinesThatAreGone() {
        Share share = new Share(rollout, shares.get(0).cluster);
        assertThat(share.isEmpty()).isTrue();
        share.total = 1;
        assertThat(share.isEmpty()).isFalse();
        share.total = 0;
        share.spent = 1;
        assertThat(share.isEmpty()).isFalse();
        share.spent = 0;
        share.inFlight = 1;
        assertThat(share.isEmpty()).isFalse();
    }

    @Test
    void aControlPlaneIsHalfDoneFromItsFirstMachineToItsLast() {
        Share share = shares.get(0);
        share.controlPlaneLeft = 3;
        share.controlPlaneUntried = 2;
        assertThat(share.halfDone()).isFalse();
        assertThat(share.reserved()).isZero();
        share.controlPlaneStarted = true;
        assertThat(share.halfDone()).isTrue();
        assertThat(share.reserved()).isEqualTo(2);
        share.controlPlaneLeft = 0;
        assertThat(share.halfDone()).isFalse();
    }
}
