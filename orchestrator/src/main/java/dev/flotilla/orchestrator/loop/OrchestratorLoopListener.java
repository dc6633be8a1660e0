package dev.flotilla.orchestrator.loop;

import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;

/** Receives what the loop is and does, on the loop's thread. */
public interface OrchestratorLoopListener extends LeaderTermListener {
    /** The replica's role changed; the reason says why it is not ready or leading, and is empty if there is none. */
    void roleChanged(ReplicaRole replicaRole, String reason);

    /** A restore is complete: this many records were read. */
    void stateRestored(long records, long millis);

    /** The state was dropped because of a Kafka failure. */
    default void stateReset(KafkaFailure.Kind kind) {}

    /** The state was dropped because a decision failed by a bug. */
    default void decisionFailed() {}

    void siteUsabilityChanged(SiteId site, boolean usable);

    /** The loop's thread has ended because of a bug and does not start again. */
    void loopFailed(Throwable bug);
}
