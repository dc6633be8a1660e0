package dev.flotilla.core.fleet.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.RevisionVersionIndex;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of clusters in which a machine may start. */
class ClusterBacklogTest {
    private static final SiteId SITE = new SiteId("north");
    private static final int LONGEST_CHAIN = (1 << 24) - 1;

    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final SiteState site = inventory.site(SITE);
    private final SiteIntentsRollout rollout =
            new SiteIntentsRollout(site, new RevisionVersionIndex(inventory.machines()));
    private final List<ClusterBacklog> backlogs = new ArrayList<>();

    @BeforeEach
    void someClusters() {
        for (int i = 0; i < 20; i++) {
            backlogs.add(new ClusterBacklog(rollout, inventory.cluster(new ClusterKey(SITE, "default", "c" + i))));
            backlogs.get(i).chooseCandidate(0, 2);
        }
    }

    /** Counts machines in these states: the first so many are of the control plane. */
    private BacklogCounts counts(ClusterBacklog backlog, int controlPlanes, MachineProgressState... states) {
        BacklogCounts counts = new BacklogCounts();
        for (int i = 0; i < states.length; i++) {
            String cluster = backlog.cluster().key().name();
            MachineRowBuilder row = MachineRowBuilder.of(SITE, cluster, cluster + "-m" + i);
            int machine = inventory.put((i < controlPlanes ? row.role(MachineRole.CONTROL_PLANE) : row).build());
            counts.add(backlog.cluster(), rollout, new MachineView(inventory.machines(), machine), states[i]);
        }
        return counts;
    }

    private void workersLeft(ClusterBacklog backlog, int workers) {
        MachineProgressState[] states = new MachineProgressState[workers];
        Arrays.fill(states, MachineProgressState.NOT_STARTED);
        backlog.recount(counts(backlog, 0, states), 0);
    }

    @Test
    void aLowerRankGoesFirstThenALongerChain() {
        ClusterBacklog one = backlogs.get(0);
        ClusterBacklog other = backlogs.get(1);
        workersLeft(one, 1);
        workersLeft(other, 5);
        assertThat(other.priority()).isLessThan(one.priority());
        one.chooseCandidate(0, 1);
        assertThat(one.priority()).isLessThan(other.priority());
    }

    @Test
    void aChainLongerThanAnyCountsAsTheLongest() {
        long longest = ClusterBacklog.priority(2, LONGEST_CHAIN, 7);
        assertThat(ClusterBacklog.priority(2, LONGEST_CHAIN + 1, 7)).isEqualTo(longest);
        assertThat(ClusterBacklog.priority(2, LONGEST_CHAIN - 1, 7)).isGreaterThan(longest);
    }

    @Test
    void equalsGoInTheOrderOfTheHashesOfTheirNames() {
        for (ClusterBacklog one : backlogs) {
            for (ClusterBacklog other : backlogs) {
                boolean before = one.cluster().spread() < other.cluster().spread();
                assertThat(one.goesBefore(other)).isEqualTo(before);
                assertThat(one.priority() < other.priority())
                        .isEqualTo(before
                                && one.cluster().spread() >> 32
                                        != other.cluster().spread() >> 32);
            }
        }
    }

    @Test
    void aStartQueueGoesAsItsFirstClusterDoes() {
        for (ClusterBacklog one : backlogs) {
            for (ClusterBacklog other : backlogs) {
                SiteStartQueue siteStartQueue = new SiteStartQueue(site, 1);
                siteStartQueue.backlogs.put(one);
                SiteStartQueue beside = new SiteStartQueue(site, 2);
                ClusterBacklog copy = new ClusterBacklog(rollout, other.cluster());
                beside.backlogs.put(copy);
                assertThat(siteStartQueue.goesBefore(beside)).isEqualTo(one.goesBefore(copy));
                assertThat(siteStartQueue.priority()).isEqualTo(one.priority());
                siteStartQueue.backlogs.remove(one);
                assertThat(siteStartQueue.isEmpty()).isTrue();
            }
        }
    }

    @Test
    void isEmptyWhereItHasNoMemberAndNothingOfDeletedMachines() {
        ClusterBacklog backlog = backlogs.get(0);
        assertThat(backlog.isEmpty()).isTrue();
        backlog.recount(counts(backlog, 0, MachineProgressState.SUCCEEDED), 0);
        assertThat(backlog.isEmpty()).isFalse();
        backlog.recount(counts(backlog, 0, MachineProgressState.NONE), 0);
        assertThat(backlog.isEmpty()).isTrue();
        BacklogCounts deleted = new BacklogCounts();
        int row = inventory
                .machines()
                .findOrAdd(MachineRowBuilder.of(SITE, "c0", "deleted").build().key());
        deleted.add(
                backlog.cluster(), rollout, new MachineView(inventory.machines(), row), MachineProgressState.IN_FLIGHT);
        backlog.recount(deleted, 0);
        assertThat(backlog.isEmpty()).isFalse();
    }

    @Test
    void aControlPlaneIsHalfUpgradedFromItsFirstMachineToItsLast() {
        ClusterBacklog backlog = backlogs.get(0);
        backlog.recount(counts(backlog, 2, MachineProgressState.NOT_STARTED, MachineProgressState.NOT_STARTED), 0);
        assertThat(backlog.isControlPlaneHalfUpgraded()).isFalse();
        assertThat(backlog.counts().reserved()).isZero();
        backlog.recount(counts(backlog, 2, MachineProgressState.IN_FLIGHT, MachineProgressState.NOT_STARTED), 0);
        assertThat(backlog.isControlPlaneHalfUpgraded()).isTrue();
        assertThat(backlog.counts().reserved()).isEqualTo(1);
        backlog.recount(counts(backlog, 2, MachineProgressState.SUCCEEDED, MachineProgressState.SUCCEEDED), 0);
        assertThat(backlog.isControlPlaneHalfUpgraded()).isFalse();
    }
}
