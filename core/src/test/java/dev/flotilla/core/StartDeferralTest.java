package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.OperatorOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A machine whose worker defers its start is started less and less often, and its explanation says how often. */
class StartDeferralTest {
    private static final Duration FIRST = Duration.ofSeconds(15);
    private static final OperatorOrderKey STATE = new OperatorOrderKey.SetCampaignState(new CampaignName("up"));
    private static final Duration LONGEST = Duration.ofMinutes(15);
    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void oneWorkerStarts() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    private Instant retryAt(String machine) {
        return Objects.requireNonNull(fleetScenario.entry(machine).retryAt());
    }

    private Duration refuse(String machine) {
        fleetScenario.report(machine, new AttemptReport.Deferred("on hold"));
        return Duration.between(fleetScenario.now, retryAt(machine));
    }

    private void wait(String machine) {
        fleetScenario.advance(Duration.between(fleetScenario.now, retryAt(machine)));
    }

    @Test
    void theBackoffDoublesUpToAQuarterOfAnHour() {
        Duration expected = FIRST;
        for (int i = 0; i < 12; i++) {
            Duration waited = refuse("c-w-0");
            assertThat(waited).isBetween(expected.multipliedBy(3).dividedBy(4), expected);
            wait("c-w-0");
            assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
            Duration twice = expected.multipliedBy(2);
            expected = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
        }
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isZero();
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.OPEN);
    }

    @Test
    void theExplanationSaysHowOftenAndWhy() {
        for (int i = 0; i < 3; i++) {
            refuse("c-w-0");
            if (i < 2) {
                wait("c-w-0");
            }
        }
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.BACKOFF);
        assertThat(fleetScenario.explain("c-w-0").nextStep())
                .contains("deferred the start 3 times in a row")
                .contains("on hold")
                .contains(retryAt("c-w-0").toString());
    }

    @Test
    void aFailureOrASuccessResetsTheCount() {
        refuse("c-w-0");
        wait("c-w-0");
        refuse("c-w-0");
        wait("c-w-0");
        fleetScenario.fail("c-w-0");
        wait("c-w-0");
        assertThat(refuse("c-w-0")).isLessThanOrEqualTo(FIRST);
    }

    @Test
    void aCancelledCommandDoesNotResetTheCount() {
        refuse("c-w-0");
        wait("c-w-0");
        fleetScenario.order(STATE, OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.report("c-w-0", new AttemptReport.Cancelled());
        fleetScenario.order(STATE, OperatorOrder.OrderVerb.RUN);
        assertThat(refuse("c-w-0")).isGreaterThan(FIRST);
    }

    /** The worker's clock is ahead: it would report every command as expired as soon as it reads it. */
    @Test
    void aWorkerThatReportsExpiredLeasesIsUsedLessAndLessOften() {
        Duration expected = FIRST;
        for (int i = 0; i < 3; i++) {
            fleetScenario.report("c-w-0", new AttemptReport.LeaseExpired());
            assertThat(fleetScenario.inFlight()).isEmpty();
            assertThat(Duration.between(fleetScenario.now, retryAt("c-w-0")))
                    .isBetween(expected.multipliedBy(3).dividedBy(4), expected);
            expected = expected.multipliedBy(2);
            wait("c-w-0");
        }
        fleetScenario.report("c-w-0", new AttemptReport.LeaseExpired());
        assertThat(fleetScenario.explain("c-w-0").nextStep())
                .contains("deferred the start 4 times in a row")
                .contains("its command lease had expired by the worker's clock");
    }

    @Test
    void aCancelledCommandThatExpiresHasNoBackoff() {
        fleetScenario.order(STATE, OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.report("c-w-0", new AttemptReport.LeaseExpired());
        fleetScenario.order(STATE, OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void machinesDeferredTogetherAreRetriedApart() {
        Set<Instant> instants = new HashSet<>();
        for (int i = 1; i < 20; i++) {
            fleetScenario.cluster("c" + i, 0, 1);
            refuse("c" + i + "-w-0");
            instants.add(retryAt("c" + i + "-w-0"));
        }
        assertThat(instants).hasSizeGreaterThan(15);
    }
}
