package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.inventory.MachineCursor;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the state handles each kind of row and its tombstone. */
class FleetStateRowsTest {
    private static final TimeZoneName BERLIN = new TimeZoneName("Europe/Berlin");
    private static final MachineKey M = FleetScenario.machine("m");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void changesNothing(RowChange rowChange) {
        long hash = fleetScenario.state.hash();
        fleetScenario.state.put(rowChange);
        assertThat(fleetScenario.state.hash()).isEqualTo(hash);
    }

    @Test
    void doesNotKeepRowsOfOtherReaders() {
        fleetScenario.cluster("a", 0, 1);
        changesNothing(new AttemptProgress(
                FleetScenario.machine("a-w-0"), "uid", 1, new AttemptReport.Cancelled(), fleetScenario.now));
        changesNothing(new JournalRecord(9, fleetScenario.now, "event", "subject", "why", List.of(), "hash"));
        changesNothing(new Tombstone(new RowKey(Table.COMMANDS, FleetScenario.machine("a-w-0"))));
        changesNothing(new Tombstone(new RowKey(Table.POLICIES, FleetScenario.SITE)));
    }

    @Test
    void aTombstoneRemovesASitesStatus() {
        long hash = fleetScenario.state.hash();
        fleetScenario.state.put(SiteStatus.of(FleetScenario.SITE).withAcceptedRemoval("order"));
        assertThat(fleetScenario.state.hash()).isNotEqualTo(hash);
        fleetScenario.state.put(new Tombstone(new RowKey(Table.STATUS, FleetScenario.SITE)));
        assertThat(fleetScenario.state.hash()).isEqualTo(hash);
        assertThat(Objects.requireNonNull(fleetScenario.state.site(FleetScenario.SITE))
                        .status())
                .isNull();
    }

    @Test
    void aTombstoneRemovesTheRulesOfATimeZone() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.decide(new DecisionInput.TimeZoneRead(
                Optional.ofNullable(TimeZoneRules.fromJvm(BERLIN, fleetScenario.now))
                        .orElseThrow(),
                fleetScenario.now));
        long hash = fleetScenario.state.hash();
        fleetScenario.state.put(new Tombstone(new RowKey(Table.CAMPAIGN_STATUS, BERLIN)));
        assertThat(fleetScenario.state.hash()).isNotEqualTo(hash);
        assertThat(fleetScenario.state.timeZoneRules(BERLIN)).isNull();
        assertThat(fleetScenario.state.knowsTimeZone(BERLIN)).isFalse();
        fleetScenario.campaign(CampaignBuilder.named("up")
                .window(new MaintenanceWindow(List.of(), null, 0, 0, BERLIN))
                .build());
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
    }

    static Stream<RowKey> placesOfNoRow() {
        return Stream.of(
                new RowKey(Table.INVENTORY, new OperatorOrderKey.FreezeFleet()),
                new RowKey(Table.STATUS, new CampaignName("up")),
                new RowKey(Table.CAMPAIGN_STATUS, M));
    }

    @ParameterizedTest
    @MethodSource("placesOfNoRow")
    void aTombstoneOfAnUnknownKeyChangesNothing(RowKey place) {
        EntityKey key = place.key();
        assertThatThrownBy(() -> fleetScenario.state.put(new Tombstone(place)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(" row is called " + key);
    }

    @Test
    void aSiteWhoseHeadIsDeletedIsReadAgain() {
        SiteId away = new SiteId("away");
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.state.put(dev.flotilla.schemas.row.SiteHead.of(away));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.campaignStatus("up").state())
                .isEqualTo(dev.flotilla.schemas.row.CampaignState.RUNNING);
        fleetScenario.state.put(new Tombstone(new RowKey(Table.HEAD, away)));
        fleetScenario.advance(java.time.Duration.ZERO);
        assertThat(fleetScenario.campaignStatus("up").state())
                .isEqualTo(dev.flotilla.schemas.row.CampaignState.COMPLETED);
    }

    /** Each field of a machine's row is decided on once when it changes. */
    static Stream<UnaryOperator<MachineRowBuilder>> changes() {
        return Stream.of(
                machine -> machine.uid("another"),
                machine -> machine.owner(OwnerKind.MACHINE_SET, "b"),
                machine -> machine.role(MachineRole.CONTROL_PLANE),
                machine -> machine.labels(CampaignBuilder.labels("a", "b")),
                machine -> machine.providerId("provider://another"),
                machine -> machine.providerId(null),
                machine -> machine.systemUuid("4c4c4544-0042-4a10-8054-b4c04f565931"),
                MachineRowBuilder::noNode,
                MachineRowBuilder::notReady,
                MachineRowBuilder::deleting,
                MachineRowBuilder::paused,
                MachineRowBuilder::onHold,
                MachineRowBuilder::optedOut,
                machine -> machine.release("1.33"),
                machine -> machine.revision("4000"),
                machine -> machine.version("v1.40.0"),
                machine -> machine.architecture("arm64"),
                machine -> machine.doing(ForeignActivity.SCALING),
                machine -> machine.doing(ForeignActivity.SCALING, ForeignActivity.CERTIFICATES));
    }

    private static MachineRowBuilder machine(String cluster) {
        return MachineRowBuilder.of(FleetScenario.SITE, cluster, "m").owner(OwnerKind.MACHINE_DEPLOYMENT, "a");
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aMachineRowWithOneChangedFieldIsDecidedOn(UnaryOperator<MachineRowBuilder> change) {
        MachineRow before = machine("a").build();
        MachineRow after = change.apply(machine("a")).build();
        fleetScenario.receive(before);
        for (MachineRow row : new MachineRow[] {after, before}) {
            int decisions = fleetScenario.decisions.size();
            fleetScenario.receive(row);
            assertThat(fleetScenario.decisions).hasSize(decisions + 1);
            fleetScenario.receive(row);
            assertThat(fleetScenario.decisions).hasSize(decisions + 1);
        }
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aMachineRowWithOneChangedFieldChangesTheStateHash(UnaryOperator<MachineRowBuilder> change) {
        MachineRow before = machine("a").build();
        fleetScenario.state.put(before);
        long hash = fleetScenario.state.quickHash();
        fleetScenario.state.put(change.apply(machine("a")).build());
        assertThat(fleetScenario.state.quickHash()).isNotEqualTo(hash).isEqualTo(fleetScenario.state.hash());
        fleetScenario.state.put(before);
        assertThat(fleetScenario.state.quickHash()).isEqualTo(hash).isEqualTo(fleetScenario.state.hash());
    }

    @Test
    void aMachineRowWithAnotherClusterIsDecidedOn() {
        fleetScenario.receive(machine("a").build());
        int decisions = fleetScenario.decisions.size();
        fleetScenario.receive(machine("b").build());
        assertThat(fleetScenario.decisions).hasSize(decisions + 1);
    }

    @Test
    void aMachineViewShowsItsRow() {
        fleetScenario.receive(machine("a")
                .labels(CampaignBuilder.labels("a", "b"))
                .release("1.33")
                .build());
        MachineView machine = Objects.requireNonNull(fleetScenario.state.machine(M));
        assertThat(machine.owner()).isEqualTo(FleetScenario.deployment("a"));
        assertThat(machine.labels()).isEqualTo(CampaignBuilder.labels("a", "b"));
        assertThat(machine.release()).isEqualTo("1.33");
        assertThat(machine.role()).isEqualTo(MachineRole.WORKER);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", "m")
                .role(MachineRole.CONTROL_PLANE)
                .build());
        assertThat(machine.owner()).isNull();
        assertThat(machine.labels()).isEqualTo(Labels.NONE);
        assertThat(machine.role()).isEqualTo(MachineRole.CONTROL_PLANE);
    }

    @Test
    void findsMachinesByTheirWholeKey() {
        SiteId south = new SiteId("south");
        List<MachineKey> keys =
                List.of(M, new MachineKey(south, "default", "m"), new MachineKey(FleetScenario.SITE, "n", "m"));
        fleetScenario.site(south);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", "m").build());
        for (MachineKey other : keys.subList(1, 3)) {
            assertThat(fleetScenario.state.machine(other)).isNull();
        }
    }

    @Test
    void anUnreadableRecordIsAboutAKnownKeyOfItsKind() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), "revision=4");
        assertThat(isAboutKnown("flotilla.inventory.north", "machine/default/a-w-0"))
                .isTrue();
        assertThat(isAboutKnown("flotilla.inventory.north", "machine/default/b"))
                .isFalse();
        assertThat(isAboutKnown("flotilla.inventory.north", "cluster/default/a"))
                .isTrue();
        assertThat(isAboutKnown("flotilla.inventory.north", "cluster/default/b"))
                .isFalse();
        assertThat(isAboutKnown("flotilla.intents.north", "owner/MachineDeployment/default/a"))
                .isFalse();
        assertThat(isAboutKnown("flotilla.inventory.north", "site")).isTrue();
        assertThat(isAboutKnown("flotilla.inventory.north", "what is this")).isFalse();
    }

    private boolean isAboutKnown(String topic, String key) {
        return fleetScenario.state.rejections().isAboutKnown(new RejectedRecordKey(topic, 0, key));
    }

    @Test
    void anUnreadableIntentLeavesTheAcceptedOneInForce() {
        ClusterKey cluster = fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(cluster, "revision=4");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.makeUnreadable("flotilla.intents.north", "cluster/default/a");
        RejectedRecord rejectedRecord = fleetScenario.onlyRejection();
        assertThat(rejectedRecord.lastAccepted()).isEqualTo(fleetScenario.state.intent(cluster));
        assertThat(rejectedRecord.reason()).isEqualTo(RejectionReason.NOT_JSON);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.intentStatus(cluster).succeeded()).isEqualTo(1);
    }

    @Test
    void aScanHasRoomForAtLeastOneClusterAndMachine() {
        MachineCursor begin = new MachineCursor(new ClusterKey(FleetScenario.SITE, "default", "a"), "");
        assertThatThrownBy(() -> fleetScenario.state.scanMachines(begin, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(fleetScenario.state.scanMachines(begin, 2).machines()).isEmpty();
    }

    @Test
    void theSitesPolicySetsAttemptTimeoutsBeforeTheFleets() {
        FleetScenario empty = new FleetScenario();
        assertThat(empty.state.timeoutsOf(FleetScenario.SITE).attemptDeadline()).isNull();
        assertThat(empty.state.timeoutsOf(FleetScenario.SITE).classLabel()).isNull();
        assertThat(empty.state.heartbeatTimeout(FleetScenario.SITE))
                .isEqualTo(dev.flotilla.schemas.row.UpgradePolicy.DEFAULT_HEARTBEAT_TIMEOUT);
        assertThat(empty.state.policy(FleetScope.FLEET)).isNull();
    }

    @Test
    void aParkedRecordDoesNotCountThoughItIsReadable() {
        ClusterKey cluster = fleetScenario.cluster("a", 0, 1);
        fleetScenario.state.put(new dev.flotilla.schemas.row.UpgradeIntent(
                cluster, "uid-a", dev.flotilla.schemas.row.UpgradeTarget.parse("revision=4"), fleetScenario.now));
        assertThat(fleetScenario.state.intent(cluster)).isNotNull();
        fleetScenario.state.put(new RejectedRecord(
                new RejectedRecordKey("flotilla.intents.north", 0, "cluster/default/a"),
                9,
                RejectionReason.CANNOT_BE_DECIDED,
                "",
                "",
                "a bug",
                fleetScenario.now));
        assertThat(fleetScenario.state.intent(cluster)).isNull();
    }
}
