package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All sites share the row of resolved targets: no site's worker can fill it. */
class ResolvedTargetLimitsTest {
    private static final String ENTRY = "{\"architecture\":\"\",\"revision\":\"\",\"version\":\"\",\"site\":\"\"},";

    private static final String ARCHITECTURE = "a".repeat(32);
    private static final String REVISION = "r".repeat(32);
    private static final String VERSION = "v1.33.2-" + "v".repeat(24);

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void aSiteResolvesAtMostFourArchitectures() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 0);
        for (int i = 0; i < 6; i++) {
            fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", "m" + i)
                    .architecture("arch" + i)
                    .build());
        }
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        for (int i = 0; i < 6; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({"3421,x", "€421,v1.33.2", "3421,v1.33 .2", "34\\21,v1.33.2"})
    void aMachineWithAnImplausibleRevisionSucceedsButResolvesNothing(String revision, String version) {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        String shown = version.equals("x") ? "v1.33.2-" + "x".repeat(32) : version;
        fleetScenario.report(
                "a-w-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, revision, shown));
        assertThat(fleetScenario.outcome("a-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets()).isEmpty();
    }

    @Test
    void allSitesFitIntoTheCampaignsRow() {
        for (int i = 0; i < 3; i++) {
            SiteId site = site(i);
            fleetScenario.site(site);
            fleetScenario.cluster(site, "a", 0, 0, Labels.NONE);
            fleetScenario.receive(MachineRowBuilder.of(site, "a", "m")
                    .architecture(ARCHITECTURE)
                    .build());
        }
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        List<ResolvedTarget> known = new ArrayList<>();
        for (int i = 3; chars(known) + 2 * lesson(i).chars() <= CampaignStatus.MAX_RESOLVED_TARGET_CHARS; i++) {
            known.add(lesson(i));
        }
        CampaignStatus full = fleetScenario.campaignStatus("up").withResolvedTargets(known);
        fleetScenario.state.put(full);
        fleetScenario.rows.put(full.rowKey(), full);
        for (int i = 0; i < 3; i++) {
            succeed(site(i));
        }
        List<ResolvedTarget> learned = fleetScenario.campaignStatus("up").resolvedTargets();
        assertThat(learned).hasSize(known.size() + 1).contains(lesson(0));
        int bytes = 0;
        for (ResolvedTarget each : learned) {
            bytes += ENTRY.length()
                    + each.architecture().length()
                    + each.revision().length()
                    + String.valueOf(each.version()).length()
                    + String.valueOf(each.site()).length();
        }
        assertThat(bytes)
                .isBetween(CampaignStatus.MAX_RESOLVED_TARGET_CHARS * 9 / 10, TopicCatalogue.MAX_RECORD_BYTES / 5);
    }

    private static SiteId site(int i) {
        return new SiteId("s" + (1000 + i) + "-" + "x".repeat(50));
    }

    private static ResolvedTarget lesson(int i) {
        return new ResolvedTarget(ARCHITECTURE, REVISION, VERSION, site(i));
    }

    private static int chars(List<ResolvedTarget> all) {
        return all.stream().mapToInt(ResolvedTarget::chars).sum();
    }

    private void succeed(SiteId site) {
        RowKey at = new RowKey(Table.STATUS, new MachineKey(site, "default", "m"));
        MachineStatus status = (MachineStatus) Objects.requireNonNull(fleetScenario.rows.get(at));
        AttemptReport succeeded = new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, REVISION, VERSION);
        fleetScenario.receive(new AttemptProgress(
                status.key(),
                status.uid(),
                Objects.requireNonNull(status.attempt()).id(),
                succeeded,
                fleetScenario.now));
    }
}
