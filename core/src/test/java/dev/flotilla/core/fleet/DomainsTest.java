package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.MachineBuilder;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clusters are looked at again when a label's value that their machines have becomes full, or is no longer. */
class DomainsTest {
    private static final SiteId SITE = new SiteId("north");

    private final Inventory inventory = new Inventory(new ObjectBoard());
    private final IntentsRollout rollout =
            new IntentsRollout(inventory.site(SITE), new SiteTargets(inventory.machines));
    private final Domains domains = new Domains(List.of(new TopologyDomainCap("rack", new CountOrPercent.Count(1))), inventory.machines);
    private final Share one = share("one", "r1");
    private final Share other = share("other", "r1");
    private final Share elsewhere = share("elsewhere", "r2");
    private final Share unlabelled = share("unlabelled", null);

    private Share share(String cluster, @Nullable String rack) {
        TreeMap<String, String> labels = new TreeMap<>();
        if (rack != null) {
            labels.put("rack", rack);
        }
        inventory.put(MachineBuilder.of(SITE, cluster, cluster)
                .labels(new Labels(labels))
                .build());
        return new Share(rollout, inventory.cluster(new ClusterKey(SITE, "default", cluster)));
    }

    private void count(Share share, Standing standing) {
        domains.begin();
        domains.tally(machine(share), standing);
        domains.replace(share);
    }

    private Machine machine(Share share) {
        return new Machine(
                inventory.machines,
                inventory.machines.find(
                        new MachineKey(SITE, "default", share.cluster.key().name())));
    }

    private List<String> concerned(int unknown) {
        return domains.follow(unknown).stream().map(ClusterKey::name).toList();
    }

    @BeforeEach
    void allWait() {
        for (Share share : List.of(one, other, elsewhere, unlabelled)) {
            count(share, Standing.FRESH);
        }
        assertThat(concerned(0)).isEmpty();
    }

    @Test
    void aValueThatBecomesFullConcernsItsOwnClustersOnce() {
        count(one, Standing.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("one", "other");
        assertThat(concerned(0)).isEmpty();
        count(one, Standing.RETRYING);
        assertThat(concerned(0)).as("as full as before").isEmpty();
        count(one, Standing.SUCCEEDED);
        assertThat(concerned(0)).containsExactly("one", "other");
    }

    @Test
    void whatIsInFlightNobodyKnowsWhereMakesAllValuesFull() {
        assertThat(concerned(1)).containsExactlyInAnyOrder("one", "other", "elsewhere");
        assertThat(concerned(1)).isEmpty();
        assertThat(concerned(0)).containsExactlyInAnyOrder("one", "other", "elsewhere");
    }

    /** While the clusters of a batch are counted, one after the other. */
    @Test
    void whoWasTurnedAwayByAValueThatIsNotFullInTheEndIsLookedAtAgain() {
        count(one, Standing.IN_FLIGHT);
        assertThat(domains.closing(machine(other))).isEqualTo(new Domain("rack", "r1", 1, 0, 1));
        assertThat(domains.closing(machine(elsewhere))).isNull();
        assertThat(domains.closing(machine(unlabelled))).isNull();
        count(one, Standing.SUCCEEDED);
        assertThat(concerned(0)).containsExactly("one", "other");
        count(one, Standing.FRESH);
        assertThat(concerned(0)).isEmpty();
        domains.begin();
        domains.replace(other);
        assertThat(concerned(0)).as("nobody was turned away since").isEmpty();
    }

    @Test
    void aClusterThatHasNoMachinesOfTheValueAnyMoreIsNotConcerned() {
        domains.begin();
        domains.replace(other);
        count(one, Standing.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("one");
        domains.begin();
        domains.replace(one);
        assertThat(concerned(0)).as("nobody has it any more").isEmpty();
        count(other, Standing.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("other");
    }

    @Test
    void whoIsNoMemberCountsNowhere() {
        count(one, Standing.NONE);
        count(other, Standing.IN_FLIGHT);
        assertThat(concerned(0)).containsExactly("other");
    }
}
