package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Decision;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import java.util.List;

/** Told of what a leader has done, once it is done. */
public interface LeaderTermListener {
    void onCommit(List<Decision> decisions, List<WireRecord> records, long millis);

    /** The oldest input of what was just committed had waited so long since the broker took it. */
    default void onInputDelay(long millis) {}

    void onRejected(ConsumedRecord consumedRecord, RejectionDetail why);
}
