package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Times;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an operator does on an ordinary day: two at once, standbys restarted one by one, the leader asked to go. */
@Tag("whole")
class HandOverIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 20, 240, 0, 1, 100);
    private static final int CAP = 12;
    private static final int RESTARTS = 3;
    private static final int HAND_OVERS = 3;

    @Test
    void leadersChangeOnlyWhenTheyAreAskedTo() {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.open("hand-over", SPEC, CAP)) {
            Journal journal = arena.journal();
            JvmProcess one = arena.startOrchestrator();
            JvmProcess two = arena.startOrchestrator();
            arena.awaitKnown();
            JvmProcess leader = arena.awaitLeader();
            JvmProcess standby = leader == one ? two : one;
            arena.awaitStanding(standby, "standby");
            assertThat(journal.terms())
                    .as("of two that begin at once one leads")
                    .isEqualTo(1);

            arena.begin(rollout);
            for (int i = 0; i < RESTARTS; i++) {
                arena.forget(standby);
                standby.terminate();
                standby.exit();
                standby = arena.startOrchestrator();
                arena.awaitStanding(standby, "standby");
            }
            assertThat(journal.terms())
                    .as("standbys that come and go move no healthy leader")
                    .isEqualTo(1);
            assertThat(Arena.standing(leader)).isEqualTo("leader");

            Times times = new Times("SIGTERM to the next term");
            for (int i = 0; i < HAND_OVERS; i++) {
                int terms = journal.terms();
                arena.forget(leader);
                long asked = System.currentTimeMillis();
                leader.terminate();
                journal.await("the standby takes over", Arena.PATIENCE, () -> journal.terms() > terms);
                times.add(journal.lines(DecisionEvent.LEADER_ELECTED).get(terms).appended() - asked);
                leader.exit();
                leader = standby;
                standby = arena.startOrchestrator();
                arena.awaitStanding(standby, "standby");
                assertThat(journal.terms()).isEqualTo(terms + 1);
            }
            journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));
            System.out.println("HandOverIT: " + times);
            Verdict.holds(arena, rollout);
            List<String> started = new ArrayList<>();
            journal.lines(DecisionEvent.ATTEMPT_ADMITTED).forEach(line -> started.add(line.subject()));
            assertThat(started)
                    .as("machines started, by one attempt each")
                    .doesNotHaveDuplicates()
                    .hasSize(SPEC.machines());
        }
    }
}
