package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.Questions;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.orchestrator.view.TooManyQuestions;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.runtime.http.HttpErrorResponse;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Asks the state for the API: in time, of a state that is settled and complete, and answered on the asker's thread. */
final class Asker {
    /** Longer than the longest commit; whoever waits for more is better told so. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Questions questions;

    Asker(Vertx vertx, Questions questions) {
        this.vertx = vertx;
        this.questions = questions;
    }

    /** Asks a state that is known as a whole. */
    <T> Future<Reply<T>> ask(Function<View, Reply<T>> question) {
        return askAnyhow(view -> {
            if (view.standing() == Standing.RESTORING) {
                return Reply.none(HttpErrorResponse.unavailable(
                        "restoring", "This process is still reading its tables.", "ask again, or ask another replica"));
            }
            view.state().refreshDerivedState(view.gates(), view.now());
            return question.apply(view);
        });
    }

    /** Asks a state that may not be complete yet. */
    <T> Future<Reply<T>> askAnyhow(Function<View, Reply<T>> question) {
        Context context = vertx.getOrCreateContext();
        Promise<Reply<T>> here = Promise.promise();
        questions
                .ask(question)
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(answered -> context.runOnContext(then -> {
                    if (answered.succeeded()) {
                        here.complete(answered.result());
                    } else {
                        refuse(answered.cause(), here);
                    }
                }));
        return here.future();
    }

    private static <T> void refuse(Throwable why, Promise<Reply<T>> here) {
        switch (why) {
            case TooManyQuestions busy ->
                here.complete(Reply.none(HttpErrorResponse.unavailable(
                        "busy", "Too many questions are waiting for an answer.", "ask again in a moment")));
            case TimeoutException late ->
                here.complete(Reply.none(HttpErrorResponse.unavailable(
                        "late", "The question was not answered within " + PATIENCE.toSeconds() + " s.", "ask again")));
            default -> here.fail(why);
        }
    }
}
