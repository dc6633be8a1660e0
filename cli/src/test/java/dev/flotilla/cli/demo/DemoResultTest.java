package dev.flotilla.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.sites.SitesProviders;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DemoResultTest {
    private static final SitesSpec SITES = new SitesSpec(1, 1, 1, 0, 1, 1);
    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "a");

    @Test
    void aMachineThatWaitsForAnOperatorIsNoFailure() {
        assertThat(waitingAt("cluster-order").isSuccessful()).isTrue();
    }

    @Test
    void aRejectedPolicyOrCampaignIsAFailure() {
        for (String gate : List.of("no-policy", "rejected-input")) {
            DemoResult result = waitingAt(gate);
            assertThat(result.isSuccessful()).isFalse();
            assertThat(DemoSummaryText.lines(result))
                    .anyMatch(line -> line.contains("was rejected.") && line.contains("flotilla rejected list"));
        }
    }

    @Test
    void reportsGivingUpAndCountsInFlightApartFromWaiting() {
        DemoResult result = result(
                List.of(
                        new DemoResult.UnfinishedMachine(
                                MACHINE, DemoResult.UnfinishedMachineState.WAITING, true, null, null, null, null, 1),
                        new DemoResult.UnfinishedMachine(
                                new MachineKey(new SiteId("north"), "fleet", "b"),
                                DemoResult.UnfinishedMachineState.WAITING,
                                false,
                                "wave",
                                null,
                                null,
                                null,
                                0)),
                false,
                "Gave up: no attempt has changed for 330 s");

        assertThat(result.isSuccessful()).isFalse();
        assertThat(DemoSummaryText.lines(result))
                .contains("Gave up: no attempt has changed for 330 s.", "  in flight    1")
                .contains("  waiting      1  at wave 1", "No attempt has ended.")
                .noneMatch(line -> line.contains("null") || line.contains("efficiency"));
        assertThat(JsonFormatter.format(DemoResultJson.toJson(result)))
                .contains("\"waiting\": 2", "\"inFlight\": 1", "\"stoppedBecause\": \"Gave up: ");
    }

    @Test
    void namesWhatTheProvidersCall() {
        assertThat(inFlightLine(SitesProviders.K8SD)).contains(" refresh calls, at most");
        assertThat(inFlightLine(SitesProviders.NODE_UPGRADE))
                .contains(" Jobs, at most")
                .doesNotContain("refresh");
        assertThat(inFlightLine(SitesProviders.MIXED)).contains(" refresh calls and Jobs, at most", " NodeUpgrades");
    }

    private static String inFlightLine(SitesProviders providers) {
        return DemoSummaryText.lines(result(new SitesSpec(1, 1, 1, 0, 1, 1, providers), List.of(), true, null)).stream()
                .filter(line -> line.startsWith("In flight at most"))
                .findFirst()
                .orElseThrow();
    }

    private static DemoResult waitingAt(String gate) {
        return result(
                List.of(new DemoResult.UnfinishedMachine(
                        MACHINE, DemoResult.UnfinishedMachineState.WAITING, false, gate, null, null, null, 0)),
                true,
                null);
    }

    private static DemoResult result(
            List<DemoResult.UnfinishedMachine> rest, boolean settled, @Nullable String gaveUp) {
        return result(SITES, rest, settled, gaveUp);
    }

    private static DemoResult result(
            SitesSpec sites, List<DemoResult.UnfinishedMachine> rest, boolean settled, @Nullable String gaveUp) {
        return new DemoResult(
                new DemoSpec(sites, 0, 1, false),
                0,
                0,
                rest,
                List.of(new DemoResult.CampaignResult("one", "revision=1", "running", List.of())),
                new TreeMap<>(),
                settled,
                0,
                0,
                new NodeCallStatistics(null),
                List.of(),
                new DemoResult.AuditResult(true, 1, List.of()),
                gaveUp);
    }
}
