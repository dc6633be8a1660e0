package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Input;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.schemas.topic.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker waits for is committed soon; what others only hear of may wait for company. */
class AwaitedTest {
    private static final SiteId EAST = new SiteId("east");
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    private final Transactions term = new Transactions(Bounds.USUAL);
    private final List<Command.UpgradeMachine> commands = new ArrayList<>();
    private long offset;

    @BeforeEach
    void furnish() {
        term.tell(this::wrote);
        term.take(new Input.TookOver(NOW));
        arrive(Place.of(Wishes.policy(1).at().table()), Wishes.policy(1));
        arrive(Place.of(Field.heartbeat(EAST).at().table(), EAST), Field.heartbeat(EAST));
        term.take(new Input.SiteHeard(EAST, NOW));
        term.state().put(Field.cluster(EAST, "k1", 2));
        term.state().put(Field.worker(EAST, "k1", 0));
        term.state().put(Field.worker(EAST, "k1", 1));
        term.finish(NOW);
    }

    @Test
    void aStartIsAwaitedAndWhatAWorkerSaysOnTheWayIsNot() {
        arrive(Place.of(Wishes.campaign().at().table()), Wishes.campaign());
        assertThat(term.isAwaited()).as("the first machine is to start").isTrue();
        term.finish(NOW);

        Command.UpgradeMachine first = commands.getFirst();
        says(first, new Report.Stepped(Step.REFRESHING, "17"));
        assertThat(term.isAwaited()).as("the node works").isFalse();
        term.finish(NOW);

        says(first, new Report.Succeeded(Report.Proof.UPGRADED, "3100", null));
        assertThat(term.isAwaited()).as("the next machine is to start").isTrue();
    }

    private void says(Command.UpgradeMachine command, Report report) {
        MachineKey key = command.key();
        Progress said = new Progress(key, command.uid(), command.attempt(), report, NOW);
        arrive(Place.of(said.at().table(), key), said);
    }

    private void arrive(Place place, Fact fact) {
        term.arrive(place, offset++, fact, NOW);
    }

    private void wrote(Fact fact) {
        if (fact instanceof Command.UpgradeMachine command) {
            commands.add(command);
        }
    }
}
