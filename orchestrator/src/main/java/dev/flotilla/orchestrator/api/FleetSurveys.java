package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.answer.MapAnswer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The survey of the fleet under way and the newest one done, shared by all who ask, so that any number of pages costs what
 * one costs. Lives on the server's event loop.
 */
final class FleetSurveys {
    /** What is younger is not looked up again. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** After a survey nothing is asked for so many times as long as it took: a large fleet is surveyed less often. */
    private static final int REST = 9;

    private final Vertx vertx;
    private final Asker asker;
    private @Nullable Survey current;
    private @Nullable Reply<MapAnswer> newest;

    /** A survey, and when there is nothing more to wait for. */
    private record Survey(FleetSurvey found, Future<Void> done) {}

    FleetSurveys(Vertx vertx, Asker asker) {
        this.vertx = vertx;
        this.asker = asker;
    }

    Future<Reply<MapAnswer>> look() {
        Survey survey = current;
        if (survey == null) {
            survey = begin();
            current = survey;
        }
        Survey asked = survey;
        return new Patience(vertx).tell(asked.done(), () -> best(asked));
    }

    private Survey begin() {
        long begun = System.nanoTime();
        FleetSurvey found = new FleetSurvey(asker);
        return new Survey(found, found.run().onComplete(done -> {
            boolean complete = found.isComplete();
            newest = complete ? found.soFar() : null;
            Duration rest = Duration.ofNanos(System.nanoTime() - begun).multipliedBy(REST);
            // What could not be found out is asked again by whoever comes next.
            Duration kept = !complete ? Duration.ofMillis(1) : rest.compareTo(FRESH) > 0 ? rest : FRESH;
            vertx.setTimer(Math.max(1, kept.toMillis()), stale -> current = null);
        }));
    }

    /** Of the survey before, where there was one: it is whole. */
    private Reply<MapAnswer> best(Survey survey) {
        Reply<MapAnswer> before = newest;
        return before != null ? before : survey.found().soFar();
    }
}
