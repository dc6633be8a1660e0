package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.orchestrator.leader.OrchestratorListener;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.testkit.junit.LoopFailureExtension;
import java.util.List;

/** A listener that ignores events, and fails the test if a bug ends the loop. */
class SilentLoopListener implements OrchestratorListener {
    @Override
    public void roleChanged(ReplicaRole replicaRole, String why) {}

    @Override
    public void stateRestored(long records, long millis) {}

    @Override
    public void siteSuspended(SiteId site, String reason) {}

    @Override
    public void siteResumed(SiteId site) {}

    @Override
    public void loopFailed(Throwable bug) {
        LoopFailureExtension.addFailure(bug);
    }

    @Override
    public void onCommit(List<Decision> decisions, List<WireRecord> records, long millis) {}

    @Override
    public void onRejected(RejectedRecord rejected) {}
}
