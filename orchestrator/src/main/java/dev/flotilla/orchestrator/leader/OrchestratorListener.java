package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import java.util.List;

/** Receives what the loop is and does, after it is done, on the loop's thread. */
public interface OrchestratorListener {
    void onCommit(List<Decision> decisions, List<WireRecord> records, long millis);

    /** An attempt has ended, and the end is committed. Only called with traces. */
    default void attemptEnded(EndedAttempt endedAttempt) {}

    /** Reports how long the oldest input of the last commit had waited since the broker appended it. */
    default void onInputDelay(long millis) {}

    void onRejected(RejectedRecord rejected);

    /** The replica's role changed; the reason says why it is not ready or leading, and is empty if there is none. */
    void roleChanged(ReplicaRole replicaRole, String reason);

    /** A restore is complete: this many records were read. */
    void stateRestored(long records, long millis);

    /** The state was dropped because of a Kafka failure. */
    default void stateReset(KafkaFailure.Kind kind) {}

    /** The state was dropped because a decision failed by a bug. */
    default void decisionFailed() {}

    /** The leader does not read a site's inputs, for this reason. */
    void siteSuspended(SiteId site, String reason);

    /** The leader reads a site's inputs. */
    void siteResumed(SiteId site);

    /** The loop's thread has ended because of a bug and does not start again. */
    void loopFailed(Throwable bug);
}
