package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.OperatorOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failures that share a property close that failure cohort, and no other machines. */
class FailureCohortTest {
    private static final String MODEL = "hardware/model";
    private static final FailureCohortRule THREE_AND_HALF = new FailureCohortRule(List.of(MODEL), 3, 50);

    private final FleetScenario fleetScenario = FleetScenario.open();

    /** Machines of two models and two revisions alternately, four at a time. */
    private void begin(FailureCohortRule rule, int attempts) {
        for (int i = 0; i < 20; i++) {
            String name = name(i);
            fleetScenario.cluster(name, 0, 0);
            fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, name, name)
                    .labels(CampaignBuilder.labels(MODEL, i % 2 == 0 ? "old" : "new"))
                    .revision(i % 4 < 2 ? "7" : "8")
                    .build());
        }
        fleetScenario.cap(4);
        fleetScenario.campaign(
                CampaignBuilder.named("up").cohorts(rule).attempts(attempts).build());
    }

    private static String name(int i) {
        return String.format("m%02d", i);
    }

    private boolean isOld(String name) {
        return Integer.parseInt(name.substring(1)) % 2 == 0;
    }

    /** Old machines fail and the others succeed, until nothing is in flight or this many have ended. */
    private void play(int most) {
        for (int i = 0; i < most && !fleetScenario.inFlight().isEmpty(); i++) {
            String name = fleetScenario.inFlight().get(0);
            if (isOld(name)) {
                fleetScenario.quarantine(name);
            } else {
                fleetScenario.succeed(name);
            }
        }
    }

    @Test
    void onlyTheFailingCohortIsClosed() {
        begin(THREE_AND_HALF, 1);
        play(100);
        List<String> waiting = fleetScenario.rows.keySet().stream()
                .map(at -> at.key().toString())
                .filter(key -> key.matches("north/default/m\\d+"))
                .map(key -> key.substring(key.lastIndexOf('/') + 1))
                .distinct()
                .filter(name -> fleetScenario.status(name) == null)
                .toList();
        assertThat(waiting).isNotEmpty().allMatch(this::isOld);
        assertThat(waiting.size()).isGreaterThanOrEqualTo(10 - 3 - 3);
        assertThat(fleetScenario.closed(waiting.get(0))).containsExactly(GateLabel.FAILURE_COHORT);
        assertThat(fleetScenario.explain(waiting.get(0)).nextStep())
                .contains("machines with hardware/model old failed in this campaign");
    }

    @Test
    void aCohortIsClosedAtExactlyItsThreshold() {
        begin(new FailureCohortRule(List.of(MODEL), 2, 50), 1);
        int ended = 0;
        while (ended < 4) {
            assertThat(anyClosed()).isFalse();
            String name = fleetScenario.inFlight().get(0);
            if (isOld(name) && ++ended > 2) {
                fleetScenario.quarantine(name);
            } else {
                fleetScenario.succeed(name);
            }
        }
        assertThat(anyClosed()).isTrue();
    }

    @Test
    void aCohortWhoseRetriesSucceedOpensAgain() {
        begin(new FailureCohortRule(List.of(MODEL), 2, 50), 3);
        int failed = 0;
        while (failed < 2) {
            String name = fleetScenario.inFlight().stream()
                    .filter(this::isOld)
                    .findFirst()
                    .orElseGet(() -> fleetScenario.inFlight().get(0));
            if (isOld(name)) {
                fleetScenario.fail(name);
                failed++;
            } else {
                fleetScenario.succeed(name);
            }
        }
        assertThat(anyClosed()).isTrue();
        for (int i = 0; i < 200 && anyWaiting(); i++) {
            List.copyOf(fleetScenario.inFlight()).forEach(fleetScenario::succeed);
            fleetScenario.advance(java.time.Duration.ofMinutes(3));
        }
        assertThat(anyClosed()).isFalse();
        assertThat(anyWaiting()).isFalse();
    }

    private boolean anyWaiting() {
        return fleetScenario.campaignStatus("up").state() != dev.flotilla.schemas.row.CampaignState.COMPLETED;
    }

    private boolean anyClosed() {
        for (int i = 0; i < 20; i++) {
            if (fleetScenario.closed(name(i)).contains(GateLabel.FAILURE_COHORT)) {
                return true;
            }
        }
        return false;
    }

    /** A successful machine shows another revision afterwards: the former revision counts. */
    @Test
    void cohortsUseTheFormerRevision() {
        begin(new FailureCohortRule(List.of(), 2, 60), 1);
        for (int i = 0; i < 12 && !fleetScenario.inFlight().isEmpty(); i++) {
            String name = fleetScenario.inFlight().get(0);
            int number = Integer.parseInt(name.substring(1));
            if (number % 4 < 2) {
                fleetScenario.quarantine(name);
            } else {
                fleetScenario.succeed(name);
                fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, name, name)
                        .labels(CampaignBuilder.labels(MODEL, isOld(name) ? "old" : "new"))
                        .revision("9")
                        .build());
            }
        }
        for (int i = 0; i < 20; i++) {
            if (fleetScenario.status(name(i)) == null) {
                assertThat(fleetScenario.closed(name(i)).contains(GateLabel.FAILURE_COHORT))
                        .isEqualTo(i % 4 < 2);
            }
        }
        assertThat(anyClosed()).isTrue();
    }

    @Test
    void skippingFailedMachinesOpensTheirCohort() {
        begin(THREE_AND_HALF, 1);
        play(100);
        assertThat(anyClosed()).isTrue();
        for (int i = 0; i < 20; i += 2) {
            if (fleetScenario.status(name(i)) != null) {
                fleetScenario.order(
                        new OperatorOrderKey.SkipMachine(new CampaignName("up"), FleetScenario.machine(name(i))),
                        OperatorOrder.OrderVerb.SKIP);
            }
        }
        assertThat(fleetScenario.inFlight()).isNotEmpty().allMatch(this::isOld);
    }

    /** A member that was never tried waits like its cohort, even if its control plane is half upgraded. */
    @Test
    void theRestOfAHalfUpgradedControlPlaneWaitsForItsCohort() {
        old("ha", 2);
        old("a", 1);
        old("b", 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .cohorts(new FailureCohortRule(List.of(MODEL), 2, 50))
                .attempts(1)
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0", "b-cp-0", "ha-cp-0");
        fleetScenario.quarantine("a-cp-0");
        fleetScenario.quarantine("b-cp-0");
        fleetScenario.succeed("ha-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("ha-cp-1")).containsExactly(GateLabel.FAILURE_COHORT);
    }

    /** The machine was at its target before, which says nothing about whether the upgrade works. */
    @Test
    void anUnchangedMachineIsNoEvidence() {
        old("a", 1);
        old("b", 1);
        old("c", 1);
        old("d", 1);
        old("e", 1);
        fleetScenario.cap(4);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .cohorts(new FailureCohortRule(List.of(MODEL), 2, 100))
                .attempts(1)
                .build());
        fleetScenario.report("a-cp-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", null));
        fleetScenario.report("e-cp-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", null));
        fleetScenario.quarantine("b-cp-0");
        fleetScenario.quarantine("c-cp-0");
        old("f", 1);
        assertThat(fleetScenario.closed("f-cp-0")).containsExactly(GateLabel.FAILURE_COHORT);
        assertThat(fleetScenario.explain("f-cp-0").nextStep()).startsWith("2 of 2 machines");
    }

    private void old(String cluster, int controlPlanes) {
        fleetScenario.cluster(cluster, controlPlanes, 0);
        for (int i = 0; i < controlPlanes; i++) {
            fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row(cluster + "-cp-" + i))
                    .labels(CampaignBuilder.labels(MODEL, "old"))
                    .build());
        }
    }

    @Test
    void aCohortIsFoundByArchitecture() {
        for (int i = 0; i < 12; i++) {
            fleetScenario.cluster(name(i), 0, 0);
            fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, name(i), name(i))
                    .architecture(i % 2 == 0 ? "arm64" : "amd64")
                    .revision(null)
                    .build());
        }
        fleetScenario.cap(4);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .cohorts(new FailureCohortRule(List.of(), 3, 50))
                .attempts(1)
                .build());
        play(100);
        assertThat(fleetScenario.rows.keySet().stream()
                        .map(at -> at.key().toString())
                        .filter(key -> key.matches("north/default/m\\d+"))
                        .map(key -> key.substring(key.lastIndexOf('/') + 1))
                        .distinct()
                        .filter(name -> fleetScenario.status(name) == null)
                        .map(name -> fleetScenario.explain(name).nextStep()))
                .isNotEmpty()
                .allMatch(next -> next.contains("machines with architecture arm64 failed in this campaign"));
    }
}
