package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.MachineRowBuilder;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each row triggers a check of what it affects: open attempts, cluster counts, and status rows of sites and objects.
 */
class RowChangeEffectsTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final SiteId SOUTH = new SiteId("south");
    private static final Instant AT = Instant.parse("2026-03-01T00:00:00Z");
    private static final UpgradePolicy POLICY =
            new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, null);
    private static final OwnerKey OWNER = new OwnerKey(NORTH, OwnerKind.MACHINE_DEPLOYMENT, "default", "workers");
    private static final OperatorOrderKey FREEZE = new OperatorOrderKey.FreezeFleet();
    private static final CampaignName UP = new CampaignName("up");
    private static final CampaignStatus CAMPAIGN = CampaignBuilder.named("up").running(1);

    private final RowStore rows = new RowStore();

    /** North has two machines in cluster a and one in b, south one in c; all but one of a are being upgraded. */
    @BeforeEach
    void fourMachinesOfWhichThreeAreBeingUpgraded() {
        rows.put(new LastAcceptedPolicy(POLICY));
        machine(NORTH, "a", "a1");
        machine(NORTH, "a", "a2");
        machine(NORTH, "b", "b1");
        machine(SOUTH, "c", "c1");
        rows.put(attempt(NORTH, "a1"));
        rows.put(attempt(NORTH, "b1"));
        rows.put(attempt(SOUTH, "c1"));
        rows.put(CAMPAIGN);
        rows.put(SiteHead.of(NORTH));
        rows.put(SiteHead.of(SOUTH));
        rows.put(new UpgradeIntent(OWNER, "uid", UpgradeTarget.parse("channel=1.34-classic"), AT));
        drain();
    }

    private void machine(SiteId site, String cluster, String name) {
        rows.put(MachineRowBuilder.of(site, cluster, name).build());
    }

    private static MachineKey key(SiteId site, String name) {
        return new MachineKey(site, "default", name);
    }

    private static MachineStatus attempt(SiteId site, String name) {
        UpgradeAttempt attempt = new UpgradeAttempt(
                7,
                new RolloutRef.CampaignRef(UP, 1),
                UpgradeTarget.parse("channel=1.34-classic"),
                new AttemptState.Admitted(AT),
                AT,
                false,
                null);
        return new MachineStatus(key(site, name), "uid-" + name, attempt, null, List.of());
    }

    /** The machines whose attempts must be checked again; calling this clears them. */
    private List<String> attempts() {
        List<String> names = new ArrayList<>();
        for (MachineView next = rows.reviews.pollLeaseReview(); next != null; next = rows.reviews.pollLeaseReview()) {
            names.add(next.key().name());
        }
        return names;
    }

    /** The clusters that must be counted again; calling this clears them. */
    private List<String> counts() {
        List<String> names = new ArrayList<>();
        for (ClusterState next = rows.inventory.nextTouched(); next != null; next = rows.inventory.nextTouched()) {
            ClusterKey key = next.key();
            names.add(key == null ? "none" : key.name());
        }
        return names;
    }

    private void drain() {
        attempts();
        counts();
        while (rows.objects.nextTouched() != null) {}
        for (SiteStatus due = rows.siteBoard.nextOutdated(); due != null; due = rows.siteBoard.nextOutdated()) {
            rows.put(due);
            attempts();
        }
    }

    static Stream<RowChange> bearOnAllAttempts() {
        return Stream.of(
                SiteStatus.of(SOUTH),
                order(FREEZE, OperatorOrder.OrderVerb.FREEZE),
                gone(Table.FREEZES, FREEZE),
                CAMPAIGN.withState(CampaignState.PAUSED, "", AT),
                gone(Table.CAMPAIGN_STATUS, UP),
                new LastAcceptedPolicy(POLICY),
                gone(Table.CAMPAIGN_STATUS, FleetScope.FLEET),
                SiteHead.of(SOUTH).withWriteOff(1, "order", AT),
                new UpgradeIntent(OWNER, "uid", UpgradeTarget.parse("channel=1.35-classic"), AT),
                gone(Table.INTENTS, OWNER));
    }

    private static OperatorOrder order(OperatorOrderKey key, OperatorOrder.OrderVerb verb) {
        return new OperatorOrder(key, "order", "ada", "test", null, null, null, verb);
    }

    private static Tombstone gone(Table table, EntityKey key) {
        return new Tombstone(new RowKey(table, key));
    }

    private static RejectedRecord unreadable(RejectedRecordKey place) {
        return new RejectedRecord(place, 1, RejectionReason.NOT_JSON, "", "?", "not JSON", AT);
    }

    @ParameterizedTest
    @MethodSource("bearOnAllAttempts")
    void aRowThatMayCloseAnyGateAffectsAllOpenAttempts(RowChange row) {
        rows.put(row);
        assertThat(attempts()).containsExactlyInAnyOrder("a1", "b1", "c1");
    }

    @Test
    void aMachinesStatusAffectsOnlyItsOwnAttempt() {
        rows.put(attempt(NORTH, "a1"));
        assertThat(attempts()).containsExactly("a1");
    }

    @Test
    void anEndedAttemptIsNotCheckedAgain() {
        rows.put(attempt(NORTH, "a1"));
        rows.put(new MachineStatus(key(NORTH, "a1"), "uid-a1", null, null, List.of()));
        assertThat(attempts()).isEmpty();
    }

    @Test
    void aRecordOfAMachineAffectsItsCluster() {
        rows.put(attempt(NORTH, "a2"));
        drain();
        rows.reviews.requestLeaseReviewsAt(new RowKey(Table.INVENTORY, key(NORTH, "a1")));
        assertThat(attempts()).containsExactly("a1", "a2");
    }

    @Test
    void aRecordOfAnUnknownMachineAffectsNothing() {
        rows.reviews.requestLeaseReviewsAt(new RowKey(Table.INVENTORY, key(NORTH, "z")));
        assertThat(attempts()).isEmpty();
    }

    @Test
    void aRecordOfAClusterAffectsItsMachines() {
        rows.reviews.requestLeaseReviewsAt(new RowKey(Table.INVENTORY, new ClusterKey(NORTH, "default", "b")));
        assertThat(attempts()).containsExactly("b1");
    }

    @Test
    void aRecordOfASiteAffectsItsMachines() {
        rows.reviews.requestLeaseReviewsAt(new RowKey(Table.INVENTORY, NORTH));
        assertThat(attempts()).containsExactly("a1", "b1");
    }

    @Test
    void aRecordWithoutASiteAffectsEverything() {
        rows.reviews.requestLeaseReviewsAt(new RowKey(Table.CAMPAIGNS, UP));
        assertThat(attempts()).containsExactlyInAnyOrder("a1", "b1", "c1");
    }

    @Test
    void aWriteOffRecountsTheSiteAndAllCampaigns() {
        CampaignRollout campaign = rows.rollouts.campaigns().get(UP);
        campaign.clearTouched();
        rows.put(SiteHead.of(SOUTH).withSilentSince(AT));
        assertThat(counts()).isEmpty();
        assertThat(campaign.isTouched()).isFalse();
        rows.put(SiteHead.of(SOUTH).withWriteOff(1, "order", AT));
        assertThat(counts()).contains("a", "b", "c");
        assertThat(campaign.isTouched()).isTrue();
    }

    @Test
    void aDeletedPolicyIsForgotten() {
        rows.put(gone(Table.CAMPAIGN_STATUS, FleetScope.FLEET));
        assertThat(rows.policies).isEmpty();
        assertThat(counts()).contains("a", "b", "c");
    }

    @Test
    void aDeletedObjectStatusIsForgotten() {
        rows.put(new IntentStatus(
                OWNER,
                "uid",
                AT,
                UpgradeTarget.parse("channel=1.34-classic"),
                IntentStatus.IntentState.IN_PROGRESS,
                null,
                0,
                0,
                0,
                null));
        drain();
        rows.put(gone(Table.STATUS, OWNER));
        assertThat(rows.objects.get(OWNER)).isNull();
        assertThat(rows.objects.nextTouched()).isEqualTo(OWNER);
    }

    /** Another leader may have written another status. */
    @Test
    void aChangedSiteStatusIsWrittenAgain() {
        SiteStatus told = SiteStatus.of(NORTH).with(SiteAnnotationRules.NONE, "freeze: The fleet is frozen");
        rows.put(told);
        assertThat(rows.siteBoard.nextOutdated()).isEqualTo(told.with(SiteAnnotationRules.NONE, null));
    }

    @Test
    void aSiteStatusShowsAFreezeAndItsEnd() {
        rows.put(order(FREEZE, OperatorOrder.OrderVerb.FREEZE));
        SiteStatus frozen = rows.siteBoard.nextOutdated();
        assertThat(frozen)
                .isNotNull()
                .extracting(SiteStatus::blockedReason)
                .asString()
                .startsWith("freeze: ");
        rows.put(frozen);
        assertThat(rows.siteBoard.nextOutdated()).isNull();
        rows.put(gone(Table.ORDERS, FREEZE));
        rows.put(gone(Table.FREEZES, FREEZE));
        assertThat(rows.siteBoard.nextOutdated())
                .isNotNull()
                .extracting(SiteStatus::blockedReason)
                .isNull();
    }

    @Test
    void aSiteIsMarkedRestoredOnce() {
        assertThat(rows.markRestored(new SiteId("west"))).isTrue();
        assertThat(rows.markRestored(new SiteId("west"))).isFalse();
    }

    @Test
    void aClusterContinuesWhenItsSoakEnds() {
        RolloutEntry rested = new RolloutEntry(
                new RolloutRef.CampaignRef(UP, 1),
                "w",
                0,
                null,
                Instant.EPOCH,
                null,
                MachineOutcome.SUCCEEDED,
                null,
                new UpgradeTarget.Revision("7"),
                null);
        String uid = MachineRowBuilder.of(NORTH, "a", "a2").build().uid();
        rows.put(new MachineStatus(key(NORTH, "a2"), uid, null, null, List.of(rested)));
        assertThat(rows.reviews.nextTimerAt()).isZero();
    }

    /** Its due work fails because of a bug. */
    @Test
    void aParkedMachinesAttemptIsNotCheckedUntilItIsUnparked() {
        RejectedRecordKey place =
                new RejectedRecordKey("flotilla.status.north", 0, RecordKeyFormat.print(key(NORTH, "a1")));
        rows.put(unreadable(place));
        assertThat(attempts()).isEmpty();
        assertThat(counts()).containsExactly("a");
        rows.put(gone(Table.REJECTED, place));
        assertThat(attempts()).contains("a1");
        assertThat(counts()).containsExactly("a");
    }

    @Test
    void anUnreadableClusterIsCountedAgain() {
        ClusterKey cluster = new ClusterKey(NORTH, "default", "b");
        rows.put(unreadable(new RejectedRecordKey("flotilla.inventory.north", 0, RecordKeyFormat.print(cluster))));
        assertThat(counts()).containsExactly("b");
        assertThat(rows.rejected.anyUnreadable()).isTrue();
    }

    @Test
    void anUnreadableFreezeInForceIsShownToTheSites() {
        assertThat(rows.rejected.anyUnreadable()).isFalse();
        String key = String.valueOf(RecordKeyFormat.print(new RowKey(Table.FREEZES, FREEZE)));
        rows.put(unreadable(new RejectedRecordKey("flotilla.freezes", 0, key))
                .withLastAccepted(order(FREEZE, OperatorOrder.OrderVerb.FREEZE)));
        assertThat(rows.siteBoard.nextOutdated())
                .isNotNull()
                .extracting(SiteStatus::blockedReason)
                .isNotNull();
    }
}
