package dev.flotilla.orchestrator.loop;

import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;

/** Told what the loop is and does, on its thread. */
public interface LoopListener extends TermListener {
    /** What it is now, and why it is not something better; empty where there is nothing to say. */
    void standing(Standing standing, String why);

    /** A restore is done: so many records were read. */
    void restored(long records, long millis);

    /** Kafka did not do what was asked, and so all that was known is dropped. */
    default void dropped(KafkaFailure.Kind why) {}

    /** A decision failed by a bug, and so all that was known is dropped. */
    default void undecidable() {}

    void site(SiteId site, boolean usable);

    /** The thread that decides has ended by a bug, after it gave up whatever it had. It does not begin again. */
    void broke(Throwable bug);
}
