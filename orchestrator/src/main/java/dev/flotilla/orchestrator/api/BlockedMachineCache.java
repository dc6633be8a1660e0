package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
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
final class BlockedMachineCache {
    private static final int MOST = 32;
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final StateQueryClient stateQueryClient;
    private final Map<CampaignName, BlockedMachineScan> surveys = new LinkedHashMap<>(MOST, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<CampaignName, BlockedMachineScan> eldest) {
            return size() > MOST && eldest.getValue().isDone();
        }
    };

    BlockedMachineCache(Vertx vertx, StateQueryClient stateQueryClient) {
        this.vertx = vertx;
        this.stateQueryClient = stateQueryClient;
    }

    /** Where the machines of a campaign wait, as far as that is found out in a moment. */
    Future<BlockedMachineCounts> countsOf(CampaignName name) {
        BlockedMachineScan survey = surveys.get(name);
        if (survey == null) {
            survey = new BlockedMachineScan(stateQueryClient, name);
            BlockedMachineScan begun = survey;
            surveys.put(name, begun);
            begun.runScan().onComplete(done -> vertx.setTimer(FRESH.toMillis(), stale -> surveys.remove(name, begun)));
        }
        return new PartialResultTimer(vertx).resultWithinTimeout(survey.whenDone(), survey::currentCounts);
    }
}
