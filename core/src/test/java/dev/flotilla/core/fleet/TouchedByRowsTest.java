package dev.flotilla.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.MachineBuilder;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AcceptedPolicy;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each row has those things looked at again on which it bears: open attempts, counts of clusters, rows of sites and objects. */
class TouchedByRowsTest {
    private static final SiteId NORTH = new SiteId("north");
    private static final SiteId SOUTH = new SiteId("south");
    private static final Instant AT = Instant.parse("2026-03-01T00:00:00Z");
    private static final Policy POLICY = new Policy(Fleet.FLEET, null, null, false, null, null, null, null);
    private static final OwnerKey OWNER = new OwnerKey(NORTH, OwnerKind.MACHINE_DEPLOYMENT, "default", "workers");
    private static final OrderKey FREEZE = new OrderKey.FleetFreeze();
    private static final CampaignName UP = new CampaignName("up");
    private static final CampaignStatus CAMPAIGN = CampaignBuilder.named("up").running(1);

    private final Rows rows = new Rows();

    /** North has two machines in cluster a and one in b, south one in c; all but one of a are being upgraded. */
    @BeforeEach
    void fourMachinesOfWhichThreeAreBeingUpgraded() {
        rows.put(new AcceptedPolicy(POLICY));
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
        rows.put(new Intent(OWNER, "uid", UpgradeOption.parse("channel=1.34-classic"), AT));
        drain();
    }

    private void machine(SiteId site, String cluster, String name) {
        rows.put(MachineBuilder.of(site, cluster, name).build());
    }

    private static MachineKey key(SiteId site, String name) {
        return new MachineKey(site, "default", name);
    }

    private static MachineStatus attempt(SiteId site, String name) {
        Attempt attempt = new Attempt(
                7,
                new Driver.OfCampaign(UP, 1),
                UpgradeOption.parse("channel=1.34-classic"),
                new AttemptState.Admitted(AT),
                AT,
                false,
                null);
        return new MachineStatus(key(site, name), "uid-" + name, attempt, null, List.of());
    }

    /** The machines whose attempts are to be looked at again; from then on they are. */
    private List<String> attempts() {
        List<String> names = new ArrayList<>();
        for (Machine next = rows.pollLicence(); next != null; next = rows.pollLicence()) {
            names.add(next.key().name());
        }
        return names;
    }

    /** The clusters that are to be counted anew; from then on they are. */
    private List<String> counts() {
        List<String> names = new ArrayList<>();
        for (Cluster next = rows.inventory.nextTouched(); next != null; next = rows.inventory.nextTouched()) {
            ClusterKey key = next.key();
            names.add(key == null ? "none" : key.name());
        }
        return names;
    }

    private void drain() {
        attempts();
        counts();
        while (rows.objects.nextTouched() != null) {}
        for (SiteStatus due = rows.siteBoard.due(); due != null; due = rows.siteBoard.due()) {
            rows.put(due);
            attempts();
        }
    }

    static Stream<Fact> bearOnAllAttempts() {
        return Stream.of(
                SiteStatus.of(SOUTH),
                order(FREEZE, Order.Verb.FREEZE),
                gone(Table.FREEZES, FREEZE),
                CAMPAIGN.in(RunState.PAUSED, "", AT),
                gone(Table.CAMPAIGN_STATUS, UP),
                new AcceptedPolicy(POLICY),
                gone(Table.CAMPAIGN_STATUS, Fleet.FLEET),
                SiteHead.of(SOUTH).writtenOff(1, "order", AT),
                new Intent(OWNER, "uid", UpgradeOption.parse("channel=1.35-classic"), AT),
                gone(Table.INTENTS, OWNER));
    }

    private static Order order(OrderKey key, Order.Verb verb) {
        return new Order(key, "order", "ada", "test", null, null, null, verb);
    }

    private static Gone gone(Table table, Key key) {
        return new Gone(new RowKey(table, key));
    }

    private static Rejected unreadable(RejectedKey place) {
        return new Rejected(place, 1, RejectionReason.NOT_JSON, "", "?", "not JSON", AT);
    }

    @ParameterizedTest
    @MethodSource("bearOnAllAttempts")
    void whatMayCloseAnyGateBearsOnAllOpenAttempts(Fact row) {
        rows.put(row);
        assertThat(attempts()).containsExactlyInAnyOrder("a1", "b1", "c1");
    }

    @Test
    void aMachinesStatusBearsOnItsOwnAttemptAlone() {
        rows.put(attempt(NORTH, "a1"));
        assertThat(attempts()).containsExactly("a1");
    }

    @Test
    void anAttemptThatIsOverIsNotLookedAtAgain() {
        rows.put(attempt(NORTH, "a1"));
        rows.put(new MachineStatus(key(NORTH, "a1"), "uid-a1", null, null, List.of()));
        assertThat(attempts()).isEmpty();
    }

    @Test
    void aRecordOfAMachineBearsOnItsCluster() {
        rows.put(attempt(NORTH, "a2"));
        drain();
        rows.recheckAt(new RowKey(Table.INVENTORY, key(NORTH, "a1")));
        assertThat(attempts()).containsExactly("a1", "a2");
    }

    @Test
    void aRecordOfAMachineThatNobodyKnowsBearsOnNothing() {
        rows.recheckAt(new RowKey(Table.INVENTORY, key(NORTH, "z")));
        assertThat(attempts()).isEmpty();
    }

    @Test
    void aRecordOfAClusterBearsOnItsMachines() {
        rows.recheckAt(new RowKey(Table.INVENTORY, new ClusterKey(NORTH, "default", "b")));
        assertThat(attempts()).containsExactly("b1");
    }

    @Test
    void aRecordOfASiteBearsOnTheSitesMachines() {
        rows.recheckAt(new RowKey(Table.INVENTORY, NORTH));
        assertThat(attempts()).containsExactly("a1", "b1");
    }

    @Test
    void aRecordOfNoSiteBearsOnAll() {
        rows.recheckAt(new RowKey(Table.CAMPAIGNS, UP));
        assertThat(attempts()).containsExactlyInAnyOrder("a1", "b1", "c1");
    }

    @Test
    void aSiteThatIsWrittenOffIsCountedAnewAndSoAreAllCampaigns() {
        CampaignRollout campaign = rows.rollouts.campaigns().get(UP);
        campaign.touched = false;
        rows.put(SiteHead.of(SOUTH).heard(AT));
        assertThat(counts()).isEmpty();
        assertThat(campaign.touched).isFalse();
        rows.put(SiteHead.of(SOUTH).writtenOff(1, "order", AT));
        assertThat(counts()).contains("a", "b", "c");
        assertThat(campaign.touched).isTrue();
    }

    @Test
    void aPolicyThatIsGoneIsKnownNoMore() {
        rows.put(gone(Table.CAMPAIGN_STATUS, Fleet.FLEET));
        assertThat(rows.policies).isEmpty();
        assertThat(counts()).contains("a", "b", "c");
    }

    @Test
    void anObjectsStatusThatIsGoneIsKnownNoMore() {
        rows.put(new ObjectStatus(
                OWNER,
                "uid",
                AT,
                UpgradeOption.parse("channel=1.34-classic"),
                ObjectStatus.State.IN_PROGRESS,
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

    /** Another leader may have told the site something else. */
    @Test
    void whatASiteWasToldIsCompared() {
        SiteStatus told = SiteStatus.of(NORTH).with(List.of(), "freeze: The fleet is frozen");
        rows.put(told);
        assertThat(rows.siteBoard.due()).isEqualTo(told.with(List.of(), null));
    }

    @Test
    void aSiteIsToldOfAFreezeAndOfItsEnd() {
        rows.put(order(FREEZE, Order.Verb.FREEZE));
        SiteStatus frozen = rows.siteBoard.due();
        assertThat(frozen)
                .isNotNull()
                .extracting(SiteStatus::waiting)
                .asString()
                .startsWith("freeze: ");
        rows.put(frozen);
        assertThat(rows.siteBoard.due()).isNull();
        rows.put(gone(Table.ORDERS, FREEZE));
        rows.put(gone(Table.FREEZES, FREEZE));
        assertThat(rows.siteBoard.due())
                .isNotNull()
                .extracting(SiteStatus::waiting)
                .isNull();
    }

    @Test
    void aSiteIsReadOnce() {
        assertThat(rows.markRead(new SiteId("west"))).isTrue();
        assertThat(rows.markRead(new SiteId("west"))).isFalse();
    }

    @Test
    void aClusterGoesOnAtTheInstantUntilWhichItRestsHoweverEarly() {
        Entry rested = new Entry(
                new Driver.OfCampaign(UP, 1),
                "w",
                0,
                null,
                Instant.EPOCH,
                null,
                Outcome.SUCCEEDED,
                null,
                new UpgradeOption.Revision("7"),
                null);
        String uid = MachineBuilder.of(NORTH, "a", "a2").build().uid();
        rows.put(new MachineStatus(key(NORTH, "a2"), uid, null, null, List.of(rested)));
        assertThat(rows.timers.next()).isZero();
    }

    /** By a bug nothing that is due about it can be decided. */
    @Test
    void aParkedMachinesAttemptIsNotLookedAtUntilItsRowCanBeReadAgain() {
        RejectedKey place = new RejectedKey("flotilla.status.north", 0, Keys.print(key(NORTH, "a1")));
        rows.put(unreadable(place));
        assertThat(attempts()).isEmpty();
        assertThat(counts()).containsExactly("a");
        rows.put(gone(Table.REJECTED, place));
        assertThat(attempts()).contains("a1");
        assertThat(counts()).containsExactly("a");
    }

    @Test
    void aClusterWhoseRowCannotBeReadIsCountedAnew() {
        ClusterKey cluster = new ClusterKey(NORTH, "default", "b");
        rows.put(unreadable(new RejectedKey("flotilla.inventory.north", 0, Keys.print(cluster))));
        assertThat(counts()).containsExactly("b");
        assertThat(rows.rejected.anyUnreadable()).isTrue();
    }

    @Test
    void aFreezeThatCountsThoughItCannotBeReadIsToldToTheSites() {
        assertThat(rows.rejected.anyUnreadable()).isFalse();
        String key = String.valueOf(Keys.print(new RowKey(Table.FREEZES, FREEZE)));
        rows.put(unreadable(new RejectedKey("flotilla.freezes", 0, key)).after(order(FREEZE, Order.Verb.FREEZE)));
        assertThat(rows.siteBoard.due())
                .isNotNull()
                .extracting(SiteStatus::waiting)
                .isNotNull();
    }
}
