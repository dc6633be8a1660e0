package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Detection of a node whose revision changed without an attempt. */
class OutOfBandRefreshTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    private void shows(@Nullable String revision) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .revision(revision)
                .build());
    }

    private long lastOutOfBandReason() {
        return fleetScenario.decisions.stream()
                .filter(decision -> decision.event() == DecisionEvent.OUT_OF_BAND_REFRESH)
                .count();
    }

    @Test
    void reportsARevisionThatChangesWithoutAnAttempt() {
        fleetScenario.cluster("c", 0, 1);
        shows("3001");
        assertThat(fleetScenario.decisions.getLast().event()).isEqualTo(DecisionEvent.OUT_OF_BAND_REFRESH);
        assertThat(fleetScenario.decisions.getLast().reason())
                .isEqualTo("revision changed from 3000 to 3001 without an attempt");
        shows("3001");
        assertThat(lastOutOfBandReason()).isEqualTo(1);
    }

    @Test
    void doesNotReportOutOfBandForAFirstObservation() {
        fleetScenario.cluster("c", 0, 1);
        shows(null);
        shows("3001");
        assertThat(lastOutOfBandReason()).isZero();
    }

    @Test
    void doesNotReportAnotherMachineOfTheName() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid("another")
                .revision("3001")
                .build());
        assertThat(lastOutOfBandReason()).isZero();
    }

    @Test
    void doesNotReportARefreshDuringAnOpenAttempt() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        shows("3421");
        assertThat(lastOutOfBandReason()).isZero();
    }

    @Test
    void doesNotReportARefreshThatIsShownAfterTheAttempt() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("c-w-0");
        shows("3421");
        assertThat(lastOutOfBandReason()).isZero();
        shows("3500");
        assertThat(lastOutOfBandReason()).isEqualTo(1);
    }

    @Test
    void doesNotReportTheTargetAfterAFailure() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(
                CampaignBuilder.named("up").target("revision=3421").build());
        fleetScenario.quarantine("c-w-0");
        shows("3421");
        assertThat(lastOutOfBandReason()).isZero();
        shows("3002");
        assertThat(lastOutOfBandReason()).isEqualTo(1);
    }

    @Test
    void doesNotReportARefreshForAnUnresolvedChannel() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("c-w-0");
        shows("3002");
        assertThat(lastOutOfBandReason()).isZero();
    }

    @Test
    void reportsARefreshOfAMachineThatWasNeverTried() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.report("c-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("on hold"));
        shows("3001");
        assertThat(lastOutOfBandReason()).isEqualTo(1);
    }

    @Test
    void doesNotReportTheResolvedRevisionAfterAFailure() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.cluster("d", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("c-w-0");
        fleetScenario.succeed("d-w-0");
        shows("3421");
        assertThat(lastOutOfBandReason()).isZero();
        shows("3002");
        assertThat(lastOutOfBandReason()).isEqualTo(1);
    }

    @Test
    void ignoresTheResolvedTargetOfAnotherArchitecture() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.cluster("d", 0, 0);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "d", "d-w-0")
                .architecture("arm64")
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("c-w-0");
        fleetScenario.succeed("d-w-0");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets()).hasSize(1);
        shows("3002");
        assertThat(lastOutOfBandReason()).isZero();
    }
}
