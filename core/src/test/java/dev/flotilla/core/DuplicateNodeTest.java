package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Tombstone;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines of two sites with the same node: the site that upgraded the node continues, and the other waits. */
class DuplicateNodeTest {
    private static final SiteId SOUTH = new SiteId("south");
    private static final String NODE = "aws:///eu-north-1a/i-0a1b";

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void machine(SiteId site, String cluster, String providerId) {
        if (site.equals(SOUTH)) {
            fleetScenario.site(SOUTH);
        }
        fleetScenario.cluster(site, cluster, 0, 0, Labels.NONE);
        fleetScenario.receive(MachineRowBuilder.of(site, cluster, cluster + "-w-0")
                .providerId(providerId)
                .build());
    }

    private String why(String name) {
        return MachineExplainer.explainMachine(
                        fleetScenario.state,
                        fleetScenario.gates,
                        new MachineKey(SOUTH, "default", name),
                        fleetScenario.now)
                .nextStep();
    }

    @Test
    void duplicateNodesAreNeverInFlightTogether() {
        machine(FleetScenario.SITE, "n", NODE);
        machine(SOUTH, "s", NODE);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void theMachineUpgradedFirstContinuesAndTheOtherNamesIt() {
        machine(FleetScenario.SITE, "n", NODE);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        machine(SOUTH, "s", NODE);
        assertThat(fleetScenario.inFlight()).containsExactly("n-w-0");
        assertThat(why("s-w-0"))
                .isEqualTo("The machine has the same node as machine north/default/n-w-0, which is being upgraded:"
                        + " remove the machine from one of the two sites.");
        fleetScenario.succeed("n-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(why("s-w-0")).contains("the same node as machine north/default/n-w-0, which was upgraded before");
        fleetScenario.requestUpgrade(FleetScenario.machine("n-w-0"), "channel=1.34-classic/stable");
        assertThat(fleetScenario.inFlight()).containsExactly("n-w-0");
    }

    @Test
    void foreignActivityInAnotherSiteDoesNotBlock() {
        machine(FleetScenario.SITE, "n", NODE);
        machine(SOUTH, "s", NODE);
        fleetScenario.receive(MachineRowBuilder.of(SOUTH, "s", "s-w-0")
                .providerId(NODE)
                .doing(ForeignActivity.FOREIGN)
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("n-w-0");
    }

    @Test
    void theOtherStartsWhenTheFirstIsRemoved() {
        machine(FleetScenario.SITE, "n", NODE);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        machine(SOUTH, "s", NODE);
        fleetScenario.succeed("n-w-0");
        machine(FleetScenario.SITE, "n", "aws:///eu-north-1a/i-0a1c");
        assertThat(fleetScenario.inFlight()).containsExactly("s-w-0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000-0000-0000-0000-000000000000",
                "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
                "03000200-0400-0500-0006-000700080009",
                "docker:////worker-0",
                "k3s://edge-0",
                "kwok://node-0",
                "remote-machine://10.0.0.7:22"
            })
    void placeholderIdsMakeNoDuplicateNodes(String identity) {
        machine(FleetScenario.SITE, "n", identity);
        machine(SOUTH, "s", identity);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactlyInAnyOrder("n-w-0", "s-w-0");
    }

    @Test
    void anIdOfMoreThanEightMachinesIdentifiesNoNode() {
        for (int i = 0; i < 5; i++) {
            machine(FleetScenario.SITE, "n" + i, NODE);
            machine(SOUTH, "s" + i, NODE);
        }
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(10);
        for (int i = 0; i < 5; i++) {
            fleetScenario.succeed("n" + i + "-w-0");
        }
        machine(FleetScenario.SITE, "n0", "aws:///eu-north-1a/i-0");
        machine(FleetScenario.SITE, "n1", "aws:///eu-north-1a/i-1");
        fleetScenario.requestUpgrade(FleetScenario.machine("n2-w-0"), "channel=1.34-classic/stable");
        assertThat(fleetScenario.inFlight()).doesNotContain("n2-w-0");
    }

    private boolean inTwoSites(SiteId site, String name) {
        return Objects.requireNonNull(fleetScenario.state.machine(new MachineKey(site, "default", name)))
                .hasDuplicateNode();
    }

    @Test
    void aMachineHasADuplicateNodeWhenAnotherSiteShowsIt() {
        machine(FleetScenario.SITE, "n", NODE);
        machine(FleetScenario.SITE, "again", NODE);
        assertThat(inTwoSites(FleetScenario.SITE, "n-w-0"))
                .as("two machines of one site")
                .isFalse();
        machine(SOUTH, "s", NODE);
        assertThat(inTwoSites(FleetScenario.SITE, "n-w-0")).isTrue();
        assertThat(inTwoSites(SOUTH, "s-w-0")).isTrue();
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.receive(new Tombstone(new RowKey(
                Table.INVENTORY, FleetScenario.machine(fleetScenario.inFlight().get(0)))));
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, new MachineKey(SOUTH, "default", "s-w-0"))));
        assertThat(inTwoSites(FleetScenario.SITE, "n-w-0")).isFalse();
    }

    @Test
    void theSystemUuidIdentifiesANodeLikeTheProviderId() {
        String uuid = "4c4c4544-0042-4a10-8054-b4c04f565931";
        for (SiteId site : List.of(FleetScenario.SITE, SOUTH)) {
            machine(site, site.name(), "provider://" + site);
            fleetScenario.receive(MachineRowBuilder.of(site, site.name(), site.name() + "-w-0")
                    .providerId("provider://" + site)
                    .systemUuid(uuid)
                    .build());
        }
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(inTwoSites(SOUTH, "south-w-0")).isTrue();
        assertThat(inTwoSites(FleetScenario.SITE, "north-w-0")).isTrue();
    }

    @Test
    void aMachineWithoutARowHasNoDuplicate() {
        machine(FleetScenario.SITE, "n", NODE);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("n-w-0");
        machine(SOUTH, "s", NODE);
        MachineView machine =
                Objects.requireNonNull(fleetScenario.state.machine(new MachineKey(SOUTH, "default", "s-w-0")));
        assertThat(machine.yieldsTo()).isNotNull();
        fleetScenario.makeUnreadable("flotilla.inventory.south", "machine/default/s-w-0");
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("n-w-0"))));
        assertThat(inTwoSites(SOUTH, "s-w-0")).isFalse();
    }

    @Test
    void theSystemUuidTellsWhetherARecreatedMachineHasTheSameNode() {
        fleetScenario.cluster("c", 0, 0);
        recreated("first", "4c4c4544-0042-4a10-8054-b4c04f565931", "one");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        long number = fleetScenario.attempt("m").id();
        recreated("second", "4c4c4544-0042-4a10-8054-b4c04f565931", "two");
        assertThat(fleetScenario.attempt("m").id()).as("the same node").isEqualTo(number);
        recreated("third", "4c4c4544-0042-4a10-8054-b4c04f565932", "two");
        assertThat(fleetScenario.attempt("m").id()).as("another node").isGreaterThan(number);
    }

    @Test
    void aPlaceholderUuidIsIgnoredInFavourOfTheProviderId() {
        fleetScenario.cluster("c", 0, 0);
        recreated("first", "03000200-0400-0500-0006-000700080009", "one");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        long number = fleetScenario.attempt("m").id();
        recreated("second", "4c4c4544-0042-4a10-8054-b4c04f565931", "one");
        assertThat(fleetScenario.attempt("m").id()).as("the same node").isEqualTo(number);
        recreated("third", "not specified", "two");
        assertThat(fleetScenario.attempt("m").id()).as("another node").isGreaterThan(number);
    }

    private void recreated(String uid, String systemUuid, String providerId) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "m")
                .uid(FleetScenario.uidOf(uid))
                .systemUuid(systemUuid)
                .providerId("aws:///" + providerId)
                .build());
    }
}
