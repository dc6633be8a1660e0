package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.fleet.Bookmark;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the state makes of each kind of row, and of its going. */
class RowsTest {
    private static final TimeZoneName BERLIN = new TimeZoneName("Europe/Berlin");
    private static final MachineKey M = Scene.machine("m");

    private final Scene scene = Scene.open();

    private void changesNothing(RowChange rowChange) {
        long hash = scene.state.hash();
        scene.state.put(rowChange);
        assertThat(scene.state.hash()).isEqualTo(hash);
    }

    @Test
    void whatIsOnlyPassedOnIsNotKept() {
        scene.cluster("a", 0, 1);
        changesNothing(new AttemptProgress(Scene.machine("a-w-0"), "uid", 1, new AttemptReport.Cancelled(), scene.now));
        changesNothing(new JournalRecord(9, scene.now, "event", "subject", "why", List.of(), "hash"));
        changesNothing(new Tombstone(new RowKey(Table.COMMANDS, Scene.machine("a-w-0"))));
        changesNothing(new Tombstone(new RowKey(Table.POLICIES, Scene.SITE)));
    }

    @Test
    void whatWasToldASiteGoesWithItsRow() {
        long hash = scene.state.hash();
        scene.state.put(SiteStatus.of(Scene.SITE).withAcceptedRemoval("order"));
        assertThat(scene.state.hash()).isNotEqualTo(hash);
        scene.state.put(new Tombstone(new RowKey(Table.STATUS, Scene.SITE)));
        assertThat(scene.state.hash()).isEqualTo(hash);
        assertThat(Objects.requireNonNull(scene.state.site(Scene.SITE)).status())
                .isNull();
    }

    @Test
    void theRulesOfATimeZoneGoWithTheirRow() {
        scene.cluster("a", 0, 1);
        scene.take(new Input.ZoneRead(
                Optional.ofNullable(TimeZoneRules.fromJvm(BERLIN, scene.now)).orElseThrow(), scene.now));
        long hash = scene.state.hash();
        scene.state.put(new Tombstone(new RowKey(Table.CAMPAIGN_STATUS, BERLIN)));
        assertThat(scene.state.hash()).isNotEqualTo(hash);
        assertThat(scene.state.zone(BERLIN)).isNull();
        assertThat(scene.state.knows(BERLIN)).isFalse();
        scene.campaign(CampaignBuilder.named("up")
                .window(new MaintenanceWindow(List.of(), null, 0, 0, BERLIN))
                .build());
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.WINDOW);
    }

    static Stream<RowKey> placesOfNoRow() {
        return Stream.of(
                new RowKey(Table.INVENTORY, new OperatorOrderKey.FreezeFleet()),
                new RowKey(Table.STATUS, new CampaignName("up")),
                new RowKey(Table.CAMPAIGN_STATUS, M));
    }

    @ParameterizedTest
    @MethodSource("placesOfNoRow")
    void underAKeyThatNoRowHasNothingGoes(RowKey place) {
        EntityKey key = place.key();
        assertThatThrownBy(() -> scene.state.put(new Tombstone(place)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(" row is called " + key);
    }

    @Test
    void aSiteWhoseHeadIsGoneIsReadAgainAndItsCampaignsGoOn() {
        SiteId away = new SiteId("away");
        scene.cluster("a", 0, 1);
        scene.state.put(dev.flotilla.schemas.row.SiteHead.of(away));
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("a-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(dev.flotilla.schemas.row.CampaignState.RUNNING);
        scene.state.put(new Tombstone(new RowKey(Table.HEAD, away)));
        scene.pass(java.time.Duration.ZERO);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(dev.flotilla.schemas.row.CampaignState.COMPLETED);
    }

    /** Whatever a machine's row says is told again where it changes, and no more than once. */
    static Stream<UnaryOperator<MachineBuilder>> changes() {
        return Stream.of(
                machine -> machine.uid("another"),
                machine -> machine.owner(OwnerKind.MACHINE_SET, "b"),
                machine -> machine.role(MachineRole.CONTROL_PLANE),
                machine -> machine.labels(CampaignBuilder.labels("a", "b")),
                machine -> machine.providerId("provider://another"),
                machine -> machine.providerId(null),
                machine -> machine.systemUuid("4c4c4544-0042-4a10-8054-b4c04f565931"),
                MachineBuilder::noNode,
                MachineBuilder::notReady,
                MachineBuilder::deleting,
                MachineBuilder::paused,
                MachineBuilder::onHold,
                MachineBuilder::optedOut,
                machine -> machine.release("1.33"),
                machine -> machine.revision("4000"),
                machine -> machine.version("v1.40.0"),
                machine -> machine.architecture("arm64"),
                machine -> machine.doing(ForeignActivity.SCALING),
                machine -> machine.doing(ForeignActivity.SCALING, ForeignActivity.CERTIFICATES));
    }

    private static MachineBuilder machine(String cluster) {
        return MachineBuilder.of(Scene.SITE, cluster, "m").owner(OwnerKind.MACHINE_DEPLOYMENT, "a");
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aMachinesRowThatDiffersInOneThingIsNews(UnaryOperator<MachineBuilder> change) {
        MachineRow before = machine("a").build();
        MachineRow after = change.apply(machine("a")).build();
        scene.arrive(before);
        for (MachineRow row : new MachineRow[] {after, before}) {
            int decisions = scene.decisions.size();
            scene.arrive(row);
            assertThat(scene.decisions).hasSize(decisions + 1);
            scene.arrive(row);
            assertThat(scene.decisions).hasSize(decisions + 1);
        }
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aMachinesRowThatDiffersInOneThingIsAnotherState(UnaryOperator<MachineBuilder> change) {
        MachineRow before = machine("a").build();
        scene.state.put(before);
        long hash = scene.state.quickHash();
        scene.state.put(change.apply(machine("a")).build());
        assertThat(scene.state.quickHash()).isNotEqualTo(hash).isEqualTo(scene.state.hash());
        scene.state.put(before);
        assertThat(scene.state.quickHash()).isEqualTo(hash).isEqualTo(scene.state.hash());
    }

    @Test
    void aMachineThatIsSaidToBeInAnotherClusterIsNews() {
        scene.arrive(machine("a").build());
        int decisions = scene.decisions.size();
        scene.arrive(machine("b").build());
        assertThat(scene.decisions).hasSize(decisions + 1);
    }

    @Test
    void aMachineSaysWhatItsRowSays() {
        scene.arrive(machine("a")
                .labels(CampaignBuilder.labels("a", "b"))
                .release("1.33")
                .build());
        Machine machine = Objects.requireNonNull(scene.state.machine(M));
        assertThat(machine.owner()).isEqualTo(Scene.deployment("a"));
        assertThat(machine.labels()).isEqualTo(CampaignBuilder.labels("a", "b"));
        assertThat(machine.release()).isEqualTo("1.33");
        assertThat(machine.role()).isEqualTo(MachineRole.WORKER);
        scene.arrive(
                MachineBuilder.of(Scene.SITE, "a", "m").role(MachineRole.CONTROL_PLANE).build());
        assertThat(machine.owner()).isNull();
        assertThat(machine.labels()).isEqualTo(Labels.NONE);
        assertThat(machine.role()).isEqualTo(MachineRole.CONTROL_PLANE);
    }

    @Test
    void machinesAreFoundByAllOfTheirKey() {
        SiteId south = new SiteId("south");
        List<MachineKey> keys = List.of(M, new MachineKey(south, "default", "m"), new MachineKey(Scene.SITE, "n", "m"));
        scene.site(south);
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", "m").build());
        for (MachineKey other : keys.subList(1, 3)) {
            assertThat(scene.state.machine(other)).isNull();
        }
    }

    @Test
    void aRecordThatCannotBeReadIsAboutWhatIsKnownOfItsKind() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.deployment("a"), "revision=4");
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
        return scene.state.rejections().isAboutKnown(new RejectedRecordKey(topic, 0, key));
    }

    @Test
    void ofAnAnnotationThatCannotBeReadTheOneBeforeStillCounts() {
        ClusterKey cluster = scene.cluster("a", 0, 1);
        scene.ask(cluster, "revision=4");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.poison("flotilla.intents.north", "cluster/default/a");
        RejectedRecord rejectedRecord = scene.refusal();
        assertThat(rejectedRecord.lastAccepted()).isEqualTo(scene.state.intent(cluster));
        assertThat(rejectedRecord.reason()).isEqualTo(RejectionReason.NOT_JSON);
        scene.succeed("a-w-0");
        assertThat(scene.shown(cluster).succeeded()).isEqualTo(1);
    }

    @Test
    void aWalkHasRoomForAClusterAndAMachineAtLeast() {
        Bookmark begin = new Bookmark(new ClusterKey(Scene.SITE, "default", "a"), "");
        assertThatThrownBy(() -> scene.state.walk(begin, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(scene.state.walk(begin, 2).machines()).isEmpty();
    }

    @Test
    void howLongAttemptsMayTakeIsWhatTheSitesPolicySaysOrElseTheFleets() {
        Scene empty = new Scene();
        assertThat(empty.state.times(Scene.SITE).attemptDeadline()).isNull();
        assertThat(empty.state.times(Scene.SITE).classLabel()).isNull();
        assertThat(empty.state.silentAfter(Scene.SITE)).isEqualTo(dev.flotilla.schemas.row.UpgradePolicy.SILENT_AFTER);
        assertThat(empty.state.policy(FleetScope.FLEET)).isNull();
    }

    @Test
    void aRecordThatWasNotDecidedOnDoesNotCountThoughItCanBeRead() {
        ClusterKey cluster = scene.cluster("a", 0, 1);
        scene.state.put(new dev.flotilla.schemas.row.UpgradeIntent(
                cluster, "uid-a", dev.flotilla.schemas.row.UpgradeTarget.parse("revision=4"), scene.now));
        assertThat(scene.state.intent(cluster)).isNotNull();
        scene.state.put(new RejectedRecord(
                new RejectedRecordKey("flotilla.intents.north", 0, "cluster/default/a"),
                9,
                RejectionReason.CANNOT_BE_DECIDED,
                "",
                "",
                "a bug",
                scene.now));
        assertThat(scene.state.intent(cluster)).isNull();
    }
}
