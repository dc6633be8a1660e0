package dev.flotilla.orchestrator.api.query;

import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Running and recent scans of blocked machines, by campaign. Requests for the same campaign share a scan, so the cost
 * does not depend on the number of readers. Used on the server's event loop only.
 */
public final class BlockedMachineCache {
    private static final int MAX_SCANS = 32;
    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final StateQueryClient stateQueryClient;
    private final Map<CampaignName, BlockedMachineScan> scans = new LinkedHashMap<>(MAX_SCANS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<CampaignName, BlockedMachineScan> eldest) {
            return size() > MAX_SCANS && eldest.getValue().isDone();
        }
    };

    public BlockedMachineCache(Vertx vertx, StateQueryClient stateQueryClient) {
        this.vertx = vertx;
        this.stateQueryClient = stateQueryClient;
    }

    /** Machines of a campaign by blocking gate, as far as the scan has counted within the time limit. */
    public Future<BlockedMachineCounts> countsOf(CampaignName name) {
        BlockedMachineScan scan = scans.get(name);
        if (scan == null) {
            scan = new BlockedMachineScan(stateQueryClient, name);
            BlockedMachineScan started = scan;
            scans.put(name, started);
            started.runScan()
                    .onComplete(done -> vertx.setTimer(MAX_AGE.toMillis(), expired -> scans.remove(name, started)));
        }
        return new PartialResultTimer(vertx).resultWithinTimeout(scan.whenDone(), scan::currentCounts);
    }
}
