package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Http;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.fault.Fault;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The orchestrator itself is wrong: the auditor finds it out and stops the fleet, or it ends, and another goes on. */
class BrokenOrchestratorIT {
    private static final SitesSpec SPEC = new SitesSpec(1, 4, 24, 0, 1, 400);
    private static final int CAP = 4;
    /** As a program that ends by a bug of its own. */
    private static final int BUG = 70;

    @Test
    void endsByABugWithItsExitCodeAndAnotherWhoCountsWronglyIsFoundOut() {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.openWithFreezingAuditor("broken-cap", SPEC, CAP)) {
            JvmProcess throwing = arena.startOrchestrator(Fault.THROWS);
            arena.awaitKnown();
            arena.audited();
            arena.begin(rollout);
            assertThat(throwing.exit()).isEqualTo(BUG);
            arena.forget(throwing);
            assertThat(throwing.log())
                    .content()
                    .contains("a bug ended the decisions, and now the process: it is to be started again")
                    .containsPattern("IllegalStateException: no opinion about site-1/fleet/k\\d-cp-0");

            arena.startOrchestrator(Fault.CAP_OFF_BY_ONE);
            assertFoundOutAndStopped(
                    arena, rollout, "1-caps", "as number 5 in flight of the fleet, where the cap is 4");
        }
    }

    @Test
    @Tag("whole")
    void isFoundOutWhenItStartsWorkersBeforeTheirControlPlane() {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.openWithFreezingAuditor("broken-order", SPEC, CAP)) {
            arena.startOrchestrator(Fault.WORKERS_FIRST);
            arena.awaitKnown();
            arena.audited();
            arena.begin(rollout);
            assertFoundOutAndStopped(arena, rollout, "2-cluster", "control-plane machine site-1/fleet/k");
        }
    }

    private static void assertFoundOutAndStopped(Arena arena, Rollout rollout, String invariant, String detail) {
        Journal journal = arena.journal();
        journal.await("the fleet is frozen", Arena.PATIENCE, () -> frozen(journal) != null);
        Journal.Line freeze = frozen(journal);
        assertThat(freeze.reason()).startsWith("freeze by auditor: VIOLATION " + invariant);

        Http.Answer report = arena.audited();
        JsonObjectReader first = report.list("violations").getFirst();
        System.out.println("BrokenOrchestratorIT: " + freeze.reason());
        assertThat(text(first, "invariant")).isEqualTo(invariant);
        Journal.Line wrong = journal.lines().get((int) number(first, "seq") - 1);
        assertThat(wrong.is(DecisionEvent.ATTEMPT_ADMITTED)).isTrue();
        assertThat(text(first, "detail")).contains(wrong.subject(), detail);

        journal.await("what was in flight has ended", Arena.PATIENCE, () -> journal.open() == 0);
        assertThat(rollout.unfinished(journal)).as("machines that wait").isNotEmpty();
        // Slots are free and more are given: whatever could start would start before the next decision but one.
        decideOnCap(arena, 2 * CAP);
        decideOnCap(arena, 3 * CAP);
        assertThat(journal.lines(DecisionEvent.ATTEMPT_ADMITTED)).as("starts").noneMatch(line -> line.seq() > freeze.seq());
        assertThat(journal.lines(DecisionEvent.ORDER_APPLIED))
                .as("one freeze is enough")
                .hasSize(1);
    }

    private static Journal.Line frozen(Journal journal) {
        return journal.lines(DecisionEvent.ORDER_APPLIED).stream()
                .filter(line -> line.subject().equals("fleet/freeze"))
                .findFirst()
                .orElse(null);
    }

    private static void decideOnCap(Arena arena, int cap) {
        Journal journal = arena.journal();
        int before = journal.lines(DecisionEvent.POLICY_ACCEPTED).size();
        arena.setCap(cap);
        journal.await(
                "the cap is taken",
                Arena.PATIENCE,
                () -> journal.lines(DecisionEvent.POLICY_ACCEPTED).size() > before);
    }

    private static String text(JsonObjectReader of, String field) {
        return of.get(field) instanceof JsonValue.JsonString jsonString ? jsonString.value() : "";
    }

    private static long number(JsonObjectReader of, String field) {
        return of.get(field) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : -1;
    }
}
