package dev.flotilla.nodeworker.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StartsTest {
    private long now;
    private final Agenda agenda = new Agenda(new WorkerTime() {
        @Override
        public long clock() {
            return now;
        }

        @Override
        public long ticks() {
            return now;
        }
    });
    private final Starts starts = new Starts(agenda);
    private final List<String> done = new ArrayList<>();

    @Test
    void letsInSoManyAndTheNextWhenOneHasCalled() {
        List<Starts.Place> first = fill();
        Starts.Place next = starts.place();
        next.onTheWay(() -> done.add("next looks"));
        assertThat(done).isEmpty();

        first.getFirst().leave();
        assertThat(done).containsExactly("next looks");
        next.onTheWay(() -> done.add("next is judged"));
        assertThat(done).containsExactly("next looks", "next is judged");
    }

    @Test
    void whoTakesLongHoldsNobodyUpAndGoesOnItself() {
        List<Starts.Place> slow = fill();
        starts.place().onTheWay(() -> done.add("next"));
        now = 10_000;
        agenda.run();
        assertThat(done).containsExactly("next");

        slow.getFirst().onTheWay(() -> done.add("slow"));
        assertThat(done).containsExactly("next", "slow");
    }

    @Test
    void whoWasSlowAndHasLeftWaitsInLineAsTheOthersDo() {
        List<Starts.Place> slow = fill();
        now = 10_000;
        agenda.run();
        fill();
        slow.getFirst().leave();
        slow.getFirst().onTheWay(() -> done.add("again"));
        assertThat(done).isEmpty();
    }

    @Test
    void whoIsStoppedInLineIsNotLetIn() {
        List<Starts.Place> first = fill();
        Starts.Place stopped = starts.place();
        stopped.onTheWay(() -> done.add("stopped"));
        stopped.leave();
        first.getFirst().leave();
        assertThat(done).isEmpty();
    }

    private List<Starts.Place> fill() {
        List<Starts.Place> places =
                IntStream.range(0, Starts.AT_ONCE).mapToObj(i -> starts.place()).toList();
        places.forEach(place -> place.onTheWay(() -> {}));
        return places;
    }
}
