package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.ProcessHttpClient;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.e2e.fault.OrchestratorGateFault;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A faulty orchestrator: the auditor detects the violation and freezes the fleet, or the process ends by its bug and
 * another one continues.
 */
class BrokenOrchestratorIT {
    private static final SitesSpec SPEC = new SitesSpec(1, 4, 24, 0, 1, 400);
    private static final int CAP = 4;
    /** Exit code of a process that ends because of a bug. */
    private static final int BUG = 70;

    @Test
    void bugEndsTheProcessAndAuditorDetectsAWrongCap() {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.openWithFreezingAuditor("broken-cap", SPEC, CAP)) {
            ChildProcess throwing = fleetTestBed.startOrchestrator(OrchestratorGateFault.THROWS);
            fleetTestBed.awaitKnown();
            fleetTestBed.auditedSeq();
            fleetTestBed.startCampaign(testCampaign);
            assertThat(throwing.awaitExit()).isEqualTo(BUG);
            fleetTestBed.stopTracking(throwing);
            assertThat(throwing.log())
                    .content()
                    .contains("loop ended by a bug")
                    .containsPattern("IllegalStateException: no opinion about site-1/fleet/k\\d-cp-0");

            fleetTestBed.startOrchestrator(OrchestratorGateFault.CAP_OFF_BY_ONE);
            assertDetectedAndFrozen(
                    fleetTestBed, testCampaign, "1-caps", "as number 5 in flight of the fleet, but the cap is 4");
        }
    }

    @Test
    @Tag("whole")
    void auditorDetectsWorkersStartedBeforeTheirControlPlane() {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.openWithFreezingAuditor("broken-order", SPEC, CAP)) {
            fleetTestBed.startOrchestrator(OrchestratorGateFault.WORKERS_FIRST);
            fleetTestBed.awaitKnown();
            fleetTestBed.auditedSeq();
            fleetTestBed.startCampaign(testCampaign);
            assertDetectedAndFrozen(fleetTestBed, testCampaign, "2-cluster", "control-plane machine site-1/fleet/k");
        }
    }

    private static void assertDetectedAndFrozen(
            FleetTestBed fleetTestBed, TestCampaign testCampaign, String invariant, String detail) {
        JournalFollower journal = fleetTestBed.journal();
        journal.await("the fleet is frozen", FleetTestBed.PATIENCE, () -> frozen(journal) != null);
        JournalFollower.JournalEntry freeze = frozen(journal);
        assertThat(freeze.reason()).startsWith("freeze by auditor: VIOLATION " + invariant);

        ProcessHttpClient.ProcessHttpResponse report = fleetTestBed.auditedSeq();
        JsonObjectReader first = report.list("violations").getFirst();
        System.out.println("BrokenOrchestratorIT: " + freeze.reason());
        assertThat(text(first, "invariant")).isEqualTo(invariant);
        JournalFollower.JournalEntry wrong = journal.lines().get((int) number(first, "seq") - 1);
        assertThat(wrong.hasEvent(DecisionEvent.ATTEMPT_ADMITTED)).isTrue();
        assertThat(text(first, "detail")).contains(wrong.subject(), detail);

        journal.await("the machines in flight have ended", FleetTestBed.PATIENCE, () -> journal.openAttempts() == 0);
        assertThat(testCampaign.unfinished(journal)).as("machines that wait").isNotEmpty();
        // Slots are free and the cap is raised: a machine that could start would start within the next two decisions.
        awaitCap(fleetTestBed, 2 * CAP);
        awaitCap(fleetTestBed, 3 * CAP);
        assertThat(journal.lines(DecisionEvent.ATTEMPT_ADMITTED))
                .as("starts")
                .noneMatch(journalEntry -> journalEntry.seq() > freeze.seq());
        assertThat(journal.lines(DecisionEvent.ORDER_APPLIED))
                .as("one freeze is enough")
                .hasSize(1);
    }

    private static JournalFollower.JournalEntry frozen(JournalFollower journal) {
        return journal.lines(DecisionEvent.ORDER_APPLIED).stream()
                .filter(journalEntry -> journalEntry.subject().equals("fleet/freeze"))
                .findFirst()
                .orElse(null);
    }

    private static void awaitCap(FleetTestBed fleetTestBed, int cap) {
        JournalFollower journal = fleetTestBed.journal();
        int before = journal.lines(DecisionEvent.POLICY_ACCEPTED).size();
        fleetTestBed.setCap(cap);
        journal.await(
                "the cap is accepted",
                FleetTestBed.PATIENCE,
                () -> journal.lines(DecisionEvent.POLICY_ACCEPTED).size() > before);
    }

    private static String text(JsonObjectReader of, String field) {
        return of.get(field) instanceof JsonValue.JsonString jsonString ? jsonString.value() : "";
    }

    private static long number(JsonObjectReader of, String field) {
        return of.get(field) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : -1;
    }
}
