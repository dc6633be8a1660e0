package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines of two sites that show the same node: the site that upgraded it goes on, and the other waits. */
class TwinTest {
    private static final SiteId SOUTH = new SiteId("south");
    private static final String NODE = "aws:///eu-north-1a/i-0a1b";

    private final Scene scene = Scene.open();

    private void machine(SiteId site, String cluster, String providerId) {
        if (site.equals(SOUTH)) {
            scene.site(SOUTH);
        }
        scene.cluster(site, cluster, 0, 0, Labels.NONE);
        scene.arrive(MachineBuilder.of(site, cluster, cluster + "-w-0")
                .providerId(providerId)
                .build());
    }

    private String why(String name) {
        return Explain.machine(scene.state, scene.gates, new MachineKey(SOUTH, "default", name), scene.now)
                .next();
    }

    @Test
    void theyAreNeverInFlightTogether() {
        machine(Scene.SITE, "n", NODE);
        machine(SOUTH, "s", NODE);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void whoeverWasUpgradedFirstGoesOnAndTheOtherIsToldWhichItIs() {
        machine(Scene.SITE, "n", NODE);
        scene.campaign(CampaignBuilder.named("up").build());
        machine(SOUTH, "s", NODE);
        assertThat(scene.inFlight()).containsExactly("n-w-0");
        assertThat(why("s-w-0"))
                .isEqualTo("The machine has a node that machine north/default/n-w-0 shows too, which is being upgraded:"
                        + " one of the two sites has to let go of it.");
        scene.succeed("n-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(why("s-w-0")).contains("machine north/default/n-w-0 shows too, which was upgraded before");
        scene.ask(Scene.machine("n-w-0"), "channel=1.34-classic/stable");
        assertThat(scene.inFlight()).containsExactly("n-w-0");
    }

    @Test
    void whatAnotherSiteSaysOfOtherControllersStopsNobody() {
        machine(Scene.SITE, "n", NODE);
        machine(SOUTH, "s", NODE);
        scene.arrive(MachineBuilder.of(SOUTH, "s", "s-w-0")
                .providerId(NODE)
                .doing(ForeignActivity.FOREIGN)
                .build());
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("n-w-0");
    }

    @Test
    void theOtherGoesAsSoonAsTheFirstLetsGo() {
        machine(Scene.SITE, "n", NODE);
        scene.campaign(CampaignBuilder.named("up").build());
        machine(SOUTH, "s", NODE);
        scene.succeed("n-w-0");
        machine(Scene.SITE, "n", "aws:///eu-north-1a/i-0a1c");
        assertThat(scene.inFlight()).containsExactly("s-w-0");
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
    void whatTellsNothingOfANodeMakesNoTwins(String identity) {
        machine(Scene.SITE, "n", identity);
        machine(SOUTH, "s", identity);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactlyInAnyOrder("n-w-0", "s-w-0");
    }

    @Test
    void whatMoreThanEightShowIsNoIdentityUntilFewerDo() {
        for (int i = 0; i < 5; i++) {
            machine(Scene.SITE, "n" + i, NODE);
            machine(SOUTH, "s" + i, NODE);
        }
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(10);
        for (int i = 0; i < 5; i++) {
            scene.succeed("n" + i + "-w-0");
        }
        machine(Scene.SITE, "n0", "aws:///eu-north-1a/i-0");
        machine(Scene.SITE, "n1", "aws:///eu-north-1a/i-1");
        scene.ask(Scene.machine("n2-w-0"), "channel=1.34-classic/stable");
        assertThat(scene.inFlight()).doesNotContain("n2-w-0");
    }

    private boolean inTwoSites(SiteId site, String name) {
        return Objects.requireNonNull(scene.state.machine(new MachineKey(site, "default", name)))
                .inTwoSites();
    }

    @Test
    void aMachineIsInTwoSitesWhereAnotherSiteShowsItsNode() {
        machine(Scene.SITE, "n", NODE);
        machine(Scene.SITE, "again", NODE);
        assertThat(inTwoSites(Scene.SITE, "n-w-0")).as("two names in one site").isFalse();
        machine(SOUTH, "s", NODE);
        assertThat(inTwoSites(Scene.SITE, "n-w-0")).isTrue();
        assertThat(inTwoSites(SOUTH, "s-w-0")).isTrue();
        scene.campaign(CampaignBuilder.named("up").build());
        scene.arrive(new Tombstone(
                new RowKey(Table.INVENTORY, Scene.machine(scene.inFlight().get(0)))));
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, new MachineKey(SOUTH, "default", "s-w-0"))));
        assertThat(inTwoSites(Scene.SITE, "n-w-0")).isFalse();
    }

    @Test
    void theSystemsUuidTellsANodeAsWellAsTheProvidersId() {
        String uuid = "4c4c4544-0042-4a10-8054-b4c04f565931";
        for (SiteId site : List.of(Scene.SITE, SOUTH)) {
            machine(site, site.name(), "provider://" + site);
            scene.arrive(MachineBuilder.of(site, site.name(), site.name() + "-w-0")
                    .providerId("provider://" + site)
                    .systemUuid(uuid)
                    .build());
        }
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(inTwoSites(SOUTH, "south-w-0")).isTrue();
        assertThat(inTwoSites(Scene.SITE, "north-w-0")).isTrue();
    }

    @Test
    void aMachineWithoutARowYieldsToNobody() {
        machine(Scene.SITE, "n", NODE);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("n-w-0");
        machine(SOUTH, "s", NODE);
        Machine machine = Objects.requireNonNull(scene.state.machine(new MachineKey(SOUTH, "default", "s-w-0")));
        assertThat(machine.yieldsTo()).isNotNull();
        scene.poison("flotilla.inventory.south", "machine/default/s-w-0");
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("n-w-0"))));
        assertThat(inTwoSites(SOUTH, "s-w-0")).isFalse();
    }

    @Test
    void theSystemsUuidSaysWhetherAMachineThatIsMadeAnewHasTheSameNode() {
        scene.cluster("c", 0, 0);
        madeAnew("first", "4c4c4544-0042-4a10-8054-b4c04f565931", "one");
        scene.campaign(CampaignBuilder.named("up").build());
        long number = scene.attempt("m").id();
        madeAnew("second", "4c4c4544-0042-4a10-8054-b4c04f565931", "two");
        assertThat(scene.attempt("m").id()).as("the same node").isEqualTo(number);
        madeAnew("third", "4c4c4544-0042-4a10-8054-b4c04f565932", "two");
        assertThat(scene.attempt("m").id()).as("another node").isGreaterThan(number);
    }

    @Test
    void aUuidThatTellsNothingLeavesItToTheProvidersId() {
        scene.cluster("c", 0, 0);
        madeAnew("first", "03000200-0400-0500-0006-000700080009", "one");
        scene.campaign(CampaignBuilder.named("up").build());
        long number = scene.attempt("m").id();
        madeAnew("second", "4c4c4544-0042-4a10-8054-b4c04f565931", "one");
        assertThat(scene.attempt("m").id()).as("the same node").isEqualTo(number);
        madeAnew("third", "not specified", "two");
        assertThat(scene.attempt("m").id()).as("another node").isGreaterThan(number);
    }

    private void madeAnew(String uid, String systemUuid, String providerId) {
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "m")
                .uid(Scene.uidOf(uid))
                .systemUuid(systemUuid)
                .providerId("aws:///" + providerId)
                .build());
    }
}
