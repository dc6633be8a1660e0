package dev.flotilla.orchestrator.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.metrics.FleetMetrics;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the exported metrics of a fleet. */
class FleetMetricsIT {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    private ApiTestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new ApiTestServer();
        server.fleet.addSite("north");
        server.fleet.addSite("south");
        server.fleet.addCluster("north", "a", 3, 7);
        server.fleet.addCluster("south", "b", 1, 9);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private List<String> refreshAndRead() throws Exception {
        server.api.refreshMetrics().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        return server.send("/metrics").body().lines().toList();
    }

    private static String gauge(String name, String labels, String value) {
        return "flotilla_" + name + "{application=\"orchestrator\"" + labels + "} " + value;
    }

    @Test
    void exportsMachinesByConditionAndGate() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        assertThat(refreshAndRead())
                .contains(
                        gauge("machines", ",site=\"north\",state=\"in-flight\"", "1.0"),
                        gauge("machines", ",site=\"north\",state=\"waiting\"", "9.0"),
                        gauge("machines", ",site=\"south\",state=\"not-targeted\"", "0.0"),
                        gauge("machines_blocked", ",gate=\"cap-fleet\"", "18.0"),
                        gauge("in_flight", ",site=\"south\"", "1.0"),
                        gauge("cap", "", "2.0"),
                        gauge("campaigns", ",state=\"running\"", "1.0"),
                        gauge("campaigns_machines", ",campaign=\"k8s-1-33\"", "20.0"),
                        gauge("campaigns_remaining", ",campaign=\"k8s-1-33\"", "20.0"),
                        gauge("campaigns_stalled", ",campaign=\"k8s-1-33\",gate=\"none\"", "0.0"),
                        gauge("campaigns_awaiting_approval", ",campaign=\"k8s-1-33\"", "0.0"),
                        gauge("control_planes_half_upgraded", ",site=\"north\"", "0.0"),
                        gauge("rejected_records", "", "0.0"),
                        gauge("clock_in_sync", "", "1.0"));
    }

    @Test
    void exportsMachinesWithChangesThatAreNotApplied() throws Exception {
        server.fleet.addMachine(
                new ClusterKey(new SiteId("south"), "default", "b"),
                "b-w-dirty",
                MachineRole.WORKER,
                null,
                new Labels(new TreeMap<>(Map.of(LabelKeys.DIRTY, "true"))));
        assertThat(refreshAndRead())
                .contains(
                        gauge("machines_dirty", ",site=\"north\"", "0.0"),
                        gauge("machines_dirty", ",site=\"south\"", "1.0"));
    }

    @Test
    void exportsWhichSiteIsSilent() throws Exception {
        server.fleet.makeSiteSilent("south");
        assertThat(refreshAndRead())
                .contains(
                        gauge("site_silent_seconds", ",site=\"north\"", "0.0"),
                        gauge("site_silent_seconds", ",site=\"south\"", "1.0"));
    }

    @Test
    void exportsStalledCampaignsAndFailedMachines() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 10);
        server.fleet.report(2, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no"));
        assertThat(refreshAndRead())
                .contains(
                        gauge("campaigns_failed", ",campaign=\"k8s-1-33\"", "2.0"),
                        gauge("budget_failed_ratio", ",campaign=\"k8s-1-33\"", "0.2"),
                        gauge("campaigns_stalled", ",campaign=\"k8s-1-33\",gate=\"cluster-order\"", "1.0"));
    }

    @Test
    void addsUpCampaignsBeyondTheLimit() throws Exception {
        for (int i = 0; i < FleetMetrics.MAX_NAMED_CAMPAIGNS + 3; i++) {
            server.fleet.addCampaign("c" + (100 + i), 5);
        }
        List<String> machines = refreshAndRead().stream()
                .filter(line -> line.startsWith("flotilla_campaigns_machines{"))
                .toList();
        assertThat(machines)
                .hasSize(FleetMetrics.MAX_NAMED_CAMPAIGNS + 1)
                .contains(gauge("campaigns_machines", ",campaign=\"(others)\"", "60.0"))
                .contains(gauge("campaigns_machines", ",campaign=\"c100\"", "20.0"));
    }

    @Test
    void aStandbyExportsNoFleetMetrics() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        assertThat(refreshAndRead()).anyMatch(line -> line.startsWith("flotilla_machines{"));
        server.fleet.replicaRole = ReplicaRole.STANDBY;
        assertThat(refreshAndRead()).noneMatch(line -> line.startsWith("flotilla_machines"));
    }

    @Test
    void documentedTableMatchesTheMetrics() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 5);
        server.send("/api/v1/fleet");
        refreshAndRead();
        String table =
                MetricsReferenceTable.markdownTable(server.send("/metrics").body(), List.of());
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "fleet", table))
                .as("run with -Dflotilla.rewrite=true to regenerate the page")
                .isEqualTo(table);
    }
}
