package dev.flotilla.e2e.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks that must hold after every rollout, against the journal, the nodes' ledger and the auditor. */
public final class RolloutAssertions {
    private static final Duration ANSWER = Duration.ofMinutes(2);

    private final FleetTestBed fleetTestBed;
    private final JournalFollower journal;

    private RolloutAssertions(FleetTestBed fleetTestBed) {
        this.fleetTestBed = fleetTestBed;
        this.journal = fleetTestBed.journal();
    }

    /** Runs all checks; call it when a rollout is over. */
    public static void assertAll(FleetTestBed fleetTestBed, TestCampaign testCampaign) {
        RolloutAssertions rolloutAssertions = new RolloutAssertions(fleetTestBed);
        rolloutAssertions.assertEveryMachineHasEnded(testCampaign);
        rolloutAssertions.assertJournalHashChain();
        rolloutAssertions.assertNoAttemptCalledTwice();
        rolloutAssertions.assertNoAuditViolation();
    }

    private void assertEveryMachineHasEnded(TestCampaign testCampaign) {
        assertThat(testCampaign.unfinished(journal))
                .as("machines that have not ended and do not wait for an operator")
                .isEmpty();
        assertThat(journal.openAttempts()).as("open attempts").isZero();
    }

    private void assertJournalHashChain() {
        String previous = "";
        long seq = 0;
        for (JournalFollower.JournalEntry journalEntry : journal.lines()) {
            assertThat(journalEntry.seq())
                    .as("seq at offset " + journalEntry.offset())
                    .isEqualTo(++seq);
            assertThat(journalEntry.previous()).as("previous of " + seq).isEqualTo(previous);
            previous = journalEntry.hash();
        }
    }

    private void assertNoAttemptCalledTwice() {
        ProcessHttpClient.ProcessHttpResponse ledger =
                get(fleetTestBed.sites().uri().resolve("/calls"));
        Map<String, String> admitted = new HashMap<>();
        for (JournalFollower.JournalEntry journalEntry : journal.lines(DecisionEvent.ATTEMPT_ADMITTED)) {
            admitted.put(Long.toString(journalEntry.seq()), journalEntry.subject());
        }
        Map<String, Integer> calls = new HashMap<>();
        for (JsonObjectReader call : ledger.list("calls")) {
            if (call.get("attempt") instanceof JsonValue.JsonInteger attempt
                    && call.get("machine") instanceof JsonValue.JsonString machine
                    && call.get("rejected") instanceof JsonValue.JsonBoolean rejected) {
                String number = Long.toString(attempt.value());
                assertThat(admitted.get(number))
                        .as("the machine for which attempt " + number + " was admitted")
                        .isEqualTo(machine.value());
                if (!rejected.value()) {
                    calls.merge(number, 1, Integer::sum);
                }
            } else {
                throw new AssertionError("a call without an attempt: " + PrettyJsonPrinter.print(call));
            }
        }
        assertThat(calls)
                .as("calls that nodes accepted, by attempt")
                .allSatisfy((attempt, count) -> assertThat(count).as(attempt).isEqualTo(1));
        assertThat(calls).as("attempts with a call").isNotEmpty();
        assertThat(ledger.whole("maxInFlight"))
                .as("nodes that refreshed at once")
                .isBetween(1L, (long) fleetTestBed.cap());
    }

    /** Waits until the auditor has read all topics and the journal as far as this test. */
    private void assertNoAuditViolation() {
        ProcessHttpClient.ProcessHttpResponse report = fleetTestBed.auditedSeq();
        assertThat(report.list("violations").stream().map(RolloutAssertions::describeViolation))
                .as("violations")
                .isEmpty();
        assertThat(report.whole("violationCount")).isZero();
        assertThat(report.whole("maxInFlight")).as("in flight by the auditor").isBetween(1L, (long) fleetTestBed.cap());
    }

    private static String describeViolation(JsonObjectReader violation) {
        StringBuilder said = new StringBuilder();
        for (String field : List.of("seq", "invariant", "detail")) {
            said.append(violation.get(field)).append(' ');
        }
        return said.toString();
    }

    private ProcessHttpClient.ProcessHttpResponse get(URI uri) {
        ProcessHttpClient.ProcessHttpResponse[] answer = new ProcessHttpClient.ProcessHttpResponse[1];
        journal.await("an answer from " + uri, ANSWER, () -> (answer[0] = ProcessHttpClient.get(uri)) != null);
        return answer[0];
    }
}
