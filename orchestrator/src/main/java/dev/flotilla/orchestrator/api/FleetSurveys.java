package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.answer.MapAnswer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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

    /** Longer nobody waits: the one before is told, or what has been found by then, as incomplete. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

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
        return inTime(survey);
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

    private Future<Reply<MapAnswer>> inTime(Survey survey) {
        Promise<Reply<MapAnswer>> answer = Promise.promise();
        long timer = vertx.setTimer(PATIENCE.toMillis(), late -> answer.tryComplete(best(survey)));
        survey.done().onComplete(done -> {
            vertx.cancelTimer(timer);
            if (done.succeeded()) {
                answer.tryComplete(best(survey));
            } else {
                answer.tryFail(done.cause());
            }
        });
        return answer.future();
    }

    private Reply<MapAnswer> best(Survey survey) {
        Reply<MapAnswer> before = newest;
        return before != null ? before : survey.found().soFar();
    }
}
