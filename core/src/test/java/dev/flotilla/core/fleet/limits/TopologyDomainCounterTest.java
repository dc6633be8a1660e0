package dev.flotilla.core.fleet.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.TopologyDomainCap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clusters are checked again when a label value of their machines becomes full or has room again. */
class TopologyDomainCounterTest {
    private static final SiteId SITE = new SiteId("north");

    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final TopologyDomainCounter domains = new TopologyDomainCounter(
            List.of(new TopologyDomainCap("rack", new CountOrPercent.Count(1))), inventory.machines());
    private final Map<String, KeyedCountPairs> counts = new LinkedHashMap<>();
    private final ClusterKey one = cluster("one", "r1");
    private final ClusterKey other = cluster("other", "r1");
    private final ClusterKey elsewhere = cluster("elsewhere", "r2");
    private final ClusterKey unlabelled = cluster("unlabelled", null);

    private ClusterKey cluster(String cluster, @Nullable String rack) {
        TreeMap<String, String> labels = new TreeMap<>();
        if (rack != null) {
            labels.put("rack", rack);
        }
        inventory.put(MachineRowBuilder.of(SITE, cluster, cluster)
                .labels(new Labels(labels))
                .build());
        return new ClusterKey(SITE, "default", cluster);
    }

    private void count(ClusterKey cluster, MachineProgressState machineProgressState) {
        domains.begin();
        domains.tally(machine(cluster), machineProgressState);
        replace(cluster);
    }

    private void replace(ClusterKey cluster) {
        KeyedCountPairs now = domains.replace(cluster, counts.get(cluster.name()));
        if (now != null) {
            counts.put(cluster.name(), now);
        }
    }

    private MachineView machine(ClusterKey cluster) {
        return new MachineView(
                inventory.machines(), inventory.machines().find(new MachineKey(SITE, "default", cluster.name())));
    }

    private List<String> concerned(int unknown) {
        return domains.updateFullDomains(unknown).stream().map(ClusterKey::name).toList();
    }

    @BeforeEach
    void allWait() {
        for (ClusterKey cluster : List.of(one, other, elsewhere, unlabelled)) {
            count(cluster, MachineProgressState.NOT_STARTED);
        }
        assertThat(concerned(0)).isEmpty();
    }

    @Test
    void aValueThatBecomesFullAffectsItsClustersOnce() {
        count(one, MachineProgressState.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("one", "other");
        assertThat(concerned(0)).isEmpty();
        count(one, MachineProgressState.RETRYING);
        assertThat(concerned(0)).as("still full").isEmpty();
        count(one, MachineProgressState.SUCCEEDED);
        assertThat(concerned(0)).containsExactly("one", "other");
    }

    @Test
    void machinesInFlightWithUnknownValuesFillAllValues() {
        assertThat(concerned(1)).containsExactlyInAnyOrder("one", "other", "elsewhere");
        assertThat(concerned(1)).isEmpty();
        assertThat(concerned(0)).containsExactlyInAnyOrder("one", "other", "elsewhere");
    }

    /** While the clusters of a batch are counted one after the other. */
    @Test
    void aClusterBlockedByATemporarilyFullValueIsCheckedAgain() {
        count(one, MachineProgressState.IN_FLIGHT);
        assertThat(domains.fullDomainOf(machine(other))).isEqualTo(new TopologyDomain("rack", "r1", 1, 0, 1));
        assertThat(domains.fullDomainOf(machine(elsewhere))).isNull();
        assertThat(domains.fullDomainOf(machine(unlabelled))).isNull();
        count(one, MachineProgressState.SUCCEEDED);
        assertThat(concerned(0)).containsExactly("one", "other");
        count(one, MachineProgressState.NOT_STARTED);
        assertThat(concerned(0)).isEmpty();
        domains.begin();
        replace(other);
        assertThat(concerned(0)).as("nothing was blocked since").isEmpty();
    }

    @Test
    void aClusterWithoutMachinesOfTheValueIsNotAffected() {
        domains.begin();
        replace(other);
        count(one, MachineProgressState.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("one");
        domains.begin();
        replace(one);
        assertThat(concerned(0)).as("no machine has the value any more").isEmpty();
        count(other, MachineProgressState.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("other");
    }

    @Test
    void aMachineThatIsNoMemberIsNotCounted() {
        count(one, MachineProgressState.NONE);
        count(other, MachineProgressState.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("other");
    }
}
