package dev.flotilla.orchestrator.loop;

import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;

/** Told what the loop is and does, on its thread. */
public interface OrchestratorLoopListener extends LeaderTermListener {
    /** What it is now, and why it is not something better; empty where there is nothing to say. */
    void roleChanged(ReplicaRole replicaRole, String why);

    /** A restore is done: so many records were read. */
    void stateRestored(long records, long millis);

    /** Kafka did not do what was asked, and so all that was known is dropped. */
    default void stateReset(KafkaFailure.Kind why) {}

    /** A decision failed by a bug, and so all that was known is dropped. */
    default void decisionFailed() {}

    void siteUsabilityChanged(SiteId site, boolean usable);

    /** The thread that decides has ended by a bug, after it gave up whatever it had. It does not begin again. */
    void loopFailed(Throwable bug);
}
