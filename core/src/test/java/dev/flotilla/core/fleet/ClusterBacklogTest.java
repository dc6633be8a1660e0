package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of two clusters in which a machine may start, which goes first. */
class ClusterBacklogTest {
    private static final SiteState SITE = new SiteState(new SiteId("north"));

    private final SiteIntentsRollout rollout =
            new SiteIntentsRollout(SITE, new RevisionVersionIndex(new MachineTable()));
    private final List<ClusterBacklog> shares = new ArrayList<>();

    @BeforeEach
    void someClusters() {
        for (int i = 0; i < 20; i++) {
            ClusterBacklog clusterBacklog =
                    new ClusterBacklog(rollout, new ClusterState(new ClusterKey(SITE.id(), "default", "c" + i), SITE));
            clusterBacklog.rank = 2;
            clusterBacklog.remainingChain = 5;
            shares.add(clusterBacklog);
        }
    }

    @Test
    void aLowerRankGoesFirstThenALongerChain() {
        for (ClusterBacklog one : shares) {
            for (ClusterBacklog other : shares) {
                one.rank = 1;
                one.remainingChain = 1;
                assertThat(one == other || one.priority() < other.priority()).isTrue();
                one.rank = 2;
                one.remainingChain = 6;
                assertThat(one == other || one.priority() < other.priority()).isTrue();
                one.remainingChain = 5;
            }
        }
    }

    @Test
    void aChainLongerThanAnyCountsAsTheLongest() {
        ClusterBacklog clusterBacklog = shares.get(0);
        clusterBacklog.remainingChain = (1 << 24) - 1;
        long longest = clusterBacklog.priority();
        clusterBacklog.remainingChain = 1 << 24;
        assertThat(clusterBacklog.priority()).isEqualTo(longest);
        clusterBacklog.remainingChain = (1 << 24) - 2;
        assertThat(clusterBacklog.priority()).isGreaterThan(longest);
    }

    @Test
    void ofEqualsTheyGoAsTheirNamesAreSpread() {
        for (ClusterBacklog one : shares) {
            for (ClusterBacklog other : shares) {
                boolean before = one.cluster.spread < other.cluster.spread;
                assertThat(one.goesBefore(other)).isEqualTo(before);
                assertThat(one.priority() < other.priority())
                        .isEqualTo(before && one.cluster.spread >> 32 != other.cluster.spread >> 32);
            }
        }
    }

    @Test
    void aLaneGoesAsItsFirstClusterDoes() {
        for (ClusterBacklog one : shares) {
            for (ClusterBacklog other : shares) {
                SiteStartQueue siteStartQueue = new SiteStartQueue(SITE, 1);
                siteStartQueue.backlogs.put(one);
                SiteStartQueue beside = new SiteStartQueue(SITE, 2);
                ClusterBacklog copy = new ClusterBacklog(rollout, other.cluster);
                beside.backlogs.put(copy);
                assertThat(siteStartQueue.goesBefore(beside)).isEqualTo(one.goesBefore(copy));
                assertThat(siteStartQueue.priority()).isEqualTo(one.priority());
                siteStartQueue.backlogs.remove(one);
                assertThat(siteStartQueue.isEmpty()).isTrue();
            }
        }
    }

    @Test
    void hasNothingToDoWhereItHasNoMemberAndNothingOfMachinesThatAreGone() {
        ClusterBacklog clusterBacklog = new ClusterBacklog(rollout, shares.get(0).cluster);
        assertThat(clusterBacklog.isEmpty()).isTrue();
        clusterBacklog.total = 1;
        assertThat(clusterBacklog.isEmpty()).isFalse();
        clusterBacklog.total = 0;
        clusterBacklog.budgetUsed = 1;
        assertThat(clusterBacklog.isEmpty()).isFalse();
        clusterBacklog.budgetUsed = 0;
        clusterBacklog.inFlight = 1;
        assertThat(clusterBacklog.isEmpty()).isFalse();
    }

    @Test
    void aControlPlaneIsHalfDoneFromItsFirstMachineToItsLast() {
        ClusterBacklog clusterBacklog = shares.get(0);
        clusterBacklog.controlPlaneLeft = 3;
        clusterBacklog.controlPlaneUntried = 2;
        assertThat(clusterBacklog.halfDone()).isFalse();
        assertThat(clusterBacklog.reserved()).isZero();
        clusterBacklog.controlPlaneStarted = true;
        assertThat(clusterBacklog.halfDone()).isTrue();
        assertThat(clusterBacklog.reserved()).isEqualTo(2);
        clusterBacklog.controlPlaneLeft = 0;
        assertThat(clusterBacklog.halfDone()).isFalse();
    }
}
