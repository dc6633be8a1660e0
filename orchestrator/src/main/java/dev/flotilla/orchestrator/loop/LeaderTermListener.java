package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import java.util.List;

/** Receives what a leader has done, after it is done. */
interface LeaderTermListener {
    void onCommit(List<Decision> decisions, List<WireRecord> records, long millis);

    /** Reports how long the oldest input of the last commit had waited since the broker appended it. */
    default void onInputDelay(long millis) {}

    void onRejected(RejectedRecord rejected);
}
