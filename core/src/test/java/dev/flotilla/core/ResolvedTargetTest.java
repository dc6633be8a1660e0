package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A target is resolved in each site on its own: stores differ, and a site's worker cannot vouch for another site. */
class ResolvedTargetTest {
    private static final SiteId SOUTH = new SiteId("south");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void sites(int clusters) {
        fleetScenario.site(SOUTH);
        for (int i = 0; i < clusters; i++) {
            fleetScenario.cluster(FleetScenario.SITE, "n" + i, 0, 1, Labels.NONE);
            fleetScenario.cluster(SOUTH, "s" + i, 0, 1, Labels.NONE);
        }
    }

    private static MachineKey key(String name) {
        return new MachineKey(name.startsWith("s") ? SOUTH : FleetScenario.SITE, "default", name);
    }

    private void succeed(String name, String revision, String version) {
        MachineStatus status = (MachineStatus) fleetScenario.rows.get(new RowKey(Table.STATUS, key(name)));
        fleetScenario.receive(new AttemptProgress(
                key(name),
                status.uid(),
                status.attempt().id(),
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, revision, version),
                fleetScenario.now));
    }

    private String learnedBy(String name) {
        return ((WorkerCommand.UpgradeMachine) fleetScenario.rows.get(new RowKey(Table.COMMANDS, key(name))))
                .resolvedRevision();
    }

    private static String one(List<String> names, String of) {
        return names.stream().filter(name -> name.startsWith(of)).findFirst().orElseThrow();
    }

    @Test
    void aSiteDoesNotResolveTheTargetForOthers() {
        sites(2);
        fleetScenario.cap(2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        List<String> first = fleetScenario.inFlight();
        String liar = first.get(0);
        succeed(liar, "9999", "v1.33.2");
        for (String next : fleetScenario.inFlight()) {
            if (!first.contains(next)) {
                assertThat(learnedBy(next))
                        .isEqualTo(key(next).site().equals(key(liar).site()) ? "9999" : null);
            }
        }
        String other = fleetScenario.inFlight().stream()
                .filter(name -> !key(name).site().equals(key(liar).site()))
                .findFirst()
                .orElseThrow();
        succeed(other, "3421", "v1.33.2");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .containsExactlyInAnyOrder(
                        new ResolvedTarget("amd64", "9999", "v1.33.2", key(liar).site()),
                        new ResolvedTarget(
                                "amd64", "3421", "v1.33.2", key(other).site()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel=latest/edge", "revision=3421"})
    void oneMachineResolvesThenOneInEachOtherSiteThenAllStart(String target) {
        sites(3);
        fleetScenario.campaign(CampaignBuilder.named("up").target(target).build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        String first = fleetScenario.inFlight().get(0);
        String there = first.substring(0, 1);
        String elsewhere = there.equals("n") ? "s" : "n";
        succeed(first, "3421", "v1.33.2");
        assertThat(fleetScenario.inFlight())
                .filteredOn(name -> name.startsWith(there))
                .hasSize(2);
        assertThat(fleetScenario.inFlight())
                .filteredOn(name -> name.startsWith(elsewhere))
                .hasSize(1);
        succeed(one(fleetScenario.inFlight(), elsewhere), "3421", "v1.33.2");
        assertThat(fleetScenario.inFlight())
                .filteredOn(name -> name.startsWith(elsewhere))
                .hasSize(2);
    }

    @Test
    void theResolvedVersionAppliesOnlyInItsSite() {
        sites(1);
        fleetScenario.receive(
                MachineRowBuilder.of(SOUTH, "s0", "s-old").version("v1.30.0").build());
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "n0", "n-old")
                .version("v1.30.0")
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target("revision=3421")
                .maxUnavailable(2)
                .build());
        String first = fleetScenario.inFlight().get(0);
        succeed(first, "3421", "v1.33.2");
        assertThat(fleetScenario.inFlight()).doesNotContain(first.substring(0, 1) + "-old");
    }

    @Test
    void aLaterProofAddsTheMissingVersion() {
        fleetScenario.cluster("n0", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        succeed("n0-w-0", "3421", null);
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .singleElement()
                .satisfies(
                        resolvedTarget -> assertThat(resolvedTarget.version()).isNull());
        succeed("n0-w-1", "3500", "v1.33.9");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .singleElement()
                .satisfies(
                        resolvedTarget -> assertThat(resolvedTarget.version()).isNull());
        succeed("n0-w-2", "3421", "v1.33.2");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .singleElement()
                .satisfies(resolvedTarget -> {
                    assertThat(resolvedTarget.revision()).isEqualTo("3421");
                    assertThat(resolvedTarget.version()).isEqualTo("v1.33.2");
                });
    }

    @Test
    void theFirstProofIsKept() {
        fleetScenario.cluster("n0", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        succeed("n0-w-0", "3421", "v1.33.2");
        succeed("n0-w-1", "3421", "v1.33.3");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .singleElement()
                .satisfies(
                        resolvedTarget -> assertThat(resolvedTarget.version()).isEqualTo("v1.33.2"));
    }

    @Test
    void aRevisionResolvesOnlyItsVersion() {
        fleetScenario.cluster("n0", 0, 2);
        fleetScenario.cap(1);
        fleetScenario.campaign(
                CampaignBuilder.named("up").target("revision=3421").build());
        succeed("n0-w-0", "3421", null);
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets()).isEmpty();
        succeed("n0-w-1", "3421", "v1.33.2");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets())
                .singleElement()
                .satisfies(
                        resolvedTarget -> assertThat(resolvedTarget.version()).isEqualTo("v1.33.2"));
    }
}
