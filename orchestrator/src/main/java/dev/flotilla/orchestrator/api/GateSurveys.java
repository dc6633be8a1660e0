package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.answer.GateTally;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The surveys under way and the newest ones done. Whoever asks while one is under way, or shortly after, shares it: so a
 * page that many people watch costs what one costs. Lives on the server's event loop.
 */
final class GateSurveys {
    private static final int MOST = 32;
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Asker asker;
    private final Map<CampaignName, GateSurvey> surveys = new LinkedHashMap<>(MOST, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<CampaignName, GateSurvey> eldest) {
            return size() > MOST && eldest.getValue().isDone();
        }
    };

    GateSurveys(Vertx vertx, Asker asker) {
        this.vertx = vertx;
        this.asker = asker;
    }

    /** Where the machines of a campaign wait, as far as that is found out in a moment. */
    Future<GateTally> of(CampaignName name) {
        GateSurvey survey = surveys.get(name);
        if (survey == null) {
            survey = new GateSurvey(asker, name);
            GateSurvey begun = survey;
            surveys.put(name, begun);
            begun.run().onComplete(done -> vertx.setTimer(FRESH.toMillis(), stale -> surveys.remove(name, begun)));
        }
        return new Patience(vertx).tell(survey.done(), survey::soFar);
    }
}
