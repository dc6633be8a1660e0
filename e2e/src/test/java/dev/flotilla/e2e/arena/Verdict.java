package dev.flotilla.e2e.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must hold whatever happened: by the journal, by the nodes and by the auditor, each for what it alone knows. */
public final class Verdict {
    private static final Duration ANSWER = Duration.ofMinutes(2);

    private final Arena arena;
    private final Journal journal;

    private Verdict(Arena arena) {
        this.arena = arena;
        this.journal = arena.journal();
    }

    /** All of it, once a rollout is over. */
    public static void holds(Arena arena, Rollout rollout) {
        Verdict verdict = new Verdict(arena);
        verdict.everyMachineHasEnded(rollout);
        verdict.theChainIsWhole();
        verdict.noAttemptCalledTwice();
        verdict.theAuditorFoundNothing();
    }

    private void everyMachineHasEnded(Rollout rollout) {
        assertThat(rollout.unfinished(journal))
                .as("machines that wait for nobody")
                .isEmpty();
        assertThat(journal.open()).as("open attempts").isZero();
    }

    private void theChainIsWhole() {
        String previous = "";
        long seq = 0;
        for (Journal.Line line : journal.lines()) {
            assertThat(line.seq()).as("seq at offset " + line.offset()).isEqualTo(++seq);
            assertThat(line.previous()).as("previous of " + seq).isEqualTo(previous);
            previous = line.hash();
        }
    }

    private void noAttemptCalledTwice() {
        Http.Answer ledger = ask(arena.sites().uri().resolve("/ledger"));
        Map<String, String> admitted = new HashMap<>();
        for (Journal.Line line : journal.lines(DecisionEvent.ATTEMPT_ADMITTED)) {
            admitted.put(Long.toString(line.seq()), line.subject());
        }
        Map<String, Integer> calls = new HashMap<>();
        for (JsonObjectReader call : ledger.list("calls")) {
            if (call.get("attempt") instanceof JsonValue.JsonInteger attempt
                    && call.get("machine") instanceof JsonValue.JsonString machine
                    && call.get("refused") instanceof JsonValue.JsonBoolean refused) {
                String number = Long.toString(attempt.value());
                assertThat(admitted.get(number))
                        .as("the machine for which attempt " + number + " was admitted")
                        .isEqualTo(machine.value());
                if (!refused.value()) {
                    calls.merge(number, 1, Integer::sum);
                }
            } else {
                throw new AssertionError("a call without its attempt: " + PrettyJsonPrinter.print(call));
            }
        }
        assertThat(calls)
                .as("calls that nodes took, by attempt")
                .allSatisfy((attempt, count) -> assertThat(count).as(attempt).isEqualTo(1));
        assertThat(calls).as("attempts with a call").isNotEmpty();
        assertThat(ledger.whole("maxInFlight"))
                .as("nodes that refreshed at once")
                .isBetween(1L, (long) arena.cap());
    }

    /** Waits until it has read the journal as far as it has been read here, and everything else. */
    private void theAuditorFoundNothing() {
        Http.Answer report = arena.audited();
        assertThat(report.list("violations").stream().map(Verdict::said))
                .as("violations")
                .isEmpty();
        assertThat(report.whole("violationCount")).isZero();
        assertThat(report.whole("maxInFlight")).as("in flight by the auditor").isBetween(1L, (long) arena.cap());
    }

    private static String said(JsonObjectReader violation) {
        StringBuilder said = new StringBuilder();
        for (String field : List.of("seq", "invariant", "detail")) {
            said.append(violation.get(field)).append(' ');
        }
        return said.toString();
    }

    private Http.Answer ask(URI uri) {
        Http.Answer[] answer = new Http.Answer[1];
        journal.await("an answer from " + uri, ANSWER, () -> (answer[0] = Http.get(uri)) != null);
        return answer[0];
    }
}
