package dev.flotilla.core.fleet.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.limits.FailureCohortDetector;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clusters are counted again only when a row of a campaign affects them. */
class RolloutTableTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final WaveKey WAVE = new WaveKey(UP, "all");
    private static final Instant AT = Instant.EPOCH;
    private static final WaveStatus FRESH = WaveStatus.of(WAVE, 1);
    private static final WaveStatus WHOLE =
            FRESH.withShare(5).withOpenedAt(AT).withApproval("order").withClosedAt(AT);

    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());
    private final UnrestoredSites unread = new UnrestoredSites();
    private final ClusterBacklogTable backlogs = new ClusterBacklogTable();
    private final RolloutTable rollouts = new RolloutTable(inventory, unread, backlogs, new StartQueueTable());
    private final CampaignStatus status = status("up", 1);

    @BeforeEach
    void oneClusterAndOneCampaign() {
        inventory.cluster(new ClusterKey(new SiteId("north"), "default", "c"));
        rollouts.put(status);
        touched();
    }

    private static CampaignStatus status(String name, long uid) {
        return CampaignBuilder.named(name).running(uid);
    }

    /** The clusters that must be counted again; calling this clears them. */
    private List<String> touched() {
        List<String> names = new ArrayList<>();
        for (ClusterState next = inventory.nextTouched(); next != null; next = inventory.nextTouched()) {
            names.add(next.key().name());
        }
        return names;
    }

    @Test
    void theSameCampaignRowAgainAffectsNothing() {
        assertThat(rollouts.put(status)).isFalse();
        assertThat(rollouts.put(status.withResolvedTargets(
                        List.of(new CampaignStatus.ResolvedTarget("amd64", "1", null, null)))))
                .isFalse();
        assertThat(touched()).isEmpty();
    }

    static Stream<CampaignStatus> restarted() {
        CampaignStatus status = status("up", 1);
        return Stream.of(
                status.withState(CampaignState.PAUSED, "", AT),
                status.withRetryBefore(7),
                status.with(status.approvals().withOverlap(1, 2)),
                status.withAcceptedCampaign(
                        CampaignBuilder.named("up").startAt(AT.plusSeconds(1)).build()),
                status("up", 2));
    }

    @ParameterizedTest
    @MethodSource("restarted")
    void aStartedCampaignAffectsAllClusters(CampaignStatus next) {
        assertThat(rollouts.put(next)).isTrue();
        assertThat(touched()).containsExactly("c");
    }

    @Test
    void aDeletedCampaignAffectsAllAndAnUnknownOneNothing() {
        rollouts.remove(new CampaignName("other"));
        assertThat(touched()).isEmpty();
        rollouts.remove(UP);
        assertThat(touched()).containsExactly("c");
    }

    static Stream<WaveStatus> furtherOn() {
        return Stream.of(
                WHOLE.withShare(null),
                WHOLE.withShare(6),
                FRESH.withShare(5).withApproval("order").withClosedAt(AT),
                WHOLE.withApproval(null),
                FRESH.withShare(5).withOpenedAt(AT).withApproval("order"));
    }

    @ParameterizedTest
    @MethodSource("furtherOn")
    void theProgressOfAWaveAffectsAllClusters(WaveStatus next) {
        rollouts.put(WHOLE);
        assertThat(touched()).containsExactly("c");
        rollouts.put(next);
        assertThat(touched()).containsExactly("c");
    }

    @Test
    void theDurationsOfAWaveAffectNothing() {
        rollouts.put(WHOLE);
        touched();
        rollouts.put(WHOLE.withLastSuccessAt(
                AT, List.of(new DurationHistogram("worker", DurationHistogram.BucketCounts.of(1)))));
        assertThat(touched()).isEmpty();
    }

    @Test
    void aWaveOfAnotherCampaignOfTheNameAffectsNothing() {
        rollouts.put(WaveStatus.of(WAVE, 9).withOpenedAt(AT));
        rollouts.put(
                WaveStatus.of(new WaveKey(new CampaignName("other"), "all"), 1).withOpenedAt(AT));
        assertThat(touched()).isEmpty();
        rollouts.removeWave(WAVE);
        assertThat(touched()).isEmpty();
        rollouts.removeWave(WAVE);
        rollouts.put(WHOLE);
        touched();
        rollouts.removeWave(WAVE);
        assertThat(touched()).containsExactly("c");
    }

    @Test
    void aSecondCheckAtTheSameInstantChangesNothing() {
        rollouts.updateDependents(AT);
        touched();
        assertThat(rollouts.updateDependents(AT)).isFalse();
        assertThat(touched()).isEmpty();
    }

    @Test
    void aCampaignThatReachesItsStartAffectsAllOnce() {
        rollouts.put(status.withAcceptedCampaign(
                CampaignBuilder.named("up").startAt(AT.plusSeconds(9)).build()));
        rollouts.updateDependents(AT);
        touched();
        assertThat(rollouts.updateDependents(AT.plusSeconds(8))).isFalse();
        assertThat(touched()).isEmpty();
        assertThat(rollouts.updateDependents(AT.plusSeconds(9))).isTrue();
        assertThat(touched()).containsExactly("c");
    }

    @Test
    void campaignsOfEqualPriorityAreOrderedByAge() {
        rollouts.put(status("b", 7));
        rollouts.put(status("a", 9));
        assertThat(rollouts.sorted().stream().map(campaign -> campaign.name().name()))
                .containsExactly("up", "b", "a");
    }

    @Test
    void theFirstIntentOfASiteAffectsTheSite() {
        inventory.cluster(new ClusterKey(new SiteId("south"), "default", "d"));
        rollouts.intents(new SiteId("north"));
        assertThat(touched()).containsExactly("c");
    }

    @Test
    void intentsAreOrderedByTheirPriority() {
        SiteIntentsRollout annotations = rollouts.intents(new SiteId("north"));
        rollouts.put(status.withAcceptedCampaign(
                CampaignBuilder.named("up").priority(50).build()));
        rollouts.applyIntentRule(annotations, IntentRule.DEFAULT.withPriority(1));
        assertThat(rollouts.ranked()).last().isSameAs(annotations);
        rollouts.applyIntentRule(annotations, IntentRule.DEFAULT.withPriority(99));
        assertThat(rollouts.ranked()).first().isSameAs(annotations);
    }

    /** The backlog of a deleted campaign. */
    @Test
    void theBacklogsOfACampaignAreRemovedWithIt() {
        ClusterState cluster = cluster();
        share(UP);
        rollouts.put(status("up", 2));
        assertThat(backlogs.of(cluster)).isEmpty();
        share(UP);
        rollouts.remove(UP);
        assertThat(backlogs.of(cluster)).isEmpty();
    }

    private ClusterState cluster() {
        return inventory.cluster(new ClusterKey(new SiteId("north"), "default", "c"));
    }

    private CampaignRollout campaign(CampaignName name) {
        return Objects.requireNonNull(rollouts.campaigns().get(name));
    }

    private ClusterBacklog share(CampaignName name) {
        ClusterBacklog clusterBacklog = new ClusterBacklog(campaign(name), cluster());
        backlogs.of(cluster()).add(clusterBacklog);
        return clusterBacklog;
    }

    @Test
    void aDependentWaitsWhileItsDependencyIsPartlyUnreadable() {
        ClusterBacklog done = share(UP);
        BacklogCounts counts = new BacklogCounts();
        int machine = inventory.put(
                MachineRowBuilder.of(new SiteId("north"), "c", "w").build());
        counts.add(
                cluster(),
                done.rollout(),
                new MachineView(inventory.machines(), machine),
                MachineProgressState.SUCCEEDED);
        done.recount(counts, 0);
        done.rollout().addBacklog(cluster(), 0, counts);
        rollouts.put(CampaignBuilder.named("next").after("up", 100).running(2));
        CampaignRollout next = campaign(new CampaignName("next"));
        assertThat(rollouts.unmet(next)).isNull();
        SiteId away = new SiteId("away");
        unread.put(inventory.site(away), SiteHead.of(away));
        assertThat(rollouts.unmet(next)).isNotNull();
        rollouts.put(status.withState(CampaignState.COMPLETED, "", AT));
        assertThat(rollouts.unmet(next))
                .as("the dependency is known to have completed")
                .isNull();
        rollouts.remove(UP);
        assertThat(rollouts.unmet(next)).isNotNull();
    }

    @Test
    void aClosedCohortAffectsAllClustersOnce() {
        rollouts.put(status.withAcceptedCampaign(CampaignBuilder.named("up")
                .cohorts(new FailureCohortRule(List.of(), 1, 50))
                .build()));
        inventory.put(MachineRowBuilder.of(new SiteId("north"), "c", "m").build());
        ClusterBacklog clusterBacklog = share(UP);
        rollouts.updateDependents(AT);
        touched();
        assertThat(rollouts.updateDependents(AT)).isFalse();
        assertThat(touched()).isEmpty();
        FailureCohortDetector cohorts = Objects.requireNonNull(campaign(UP).cohorts());
        cohorts.begin();
        cohorts.tally(
                clusterBacklog.rollout().firstRevision(new MachineView(inventory.machines(), 0)),
                new MachineView(inventory.machines(), 0),
                MachineProgressState.QUARANTINED);
        clusterBacklog.cohortCounts(cohorts.replace(new SiteId("north"), clusterBacklog.cohortCounts()));
        assertThat(rollouts.updateDependents(AT)).isTrue();
        assertThat(touched()).containsExactly("c");
        assertThat(rollouts.updateDependents(AT)).isFalse();
    }
}
