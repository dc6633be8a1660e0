package dev.flotilla.simulator.leader;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.row.RowChange;

/** The hashes of the simulated journal, computed from the records' texts, because those are the same in every JVM. */
final class SimJournalHashChain {
    private static final long PRIME = 0x100000001B3L;

    private SimJournalHashChain() {}

    static String nextHash(String previous, Decision decision) {
        long hash = 0xCBF29CE484222325L;
        hash = mix(hash, previous);
        hash = mix(hash, decision.event().label());
        hash = mix(hash, decision.reason());
        hash = (hash ^ decision.seq()) * PRIME;
        hash = (hash ^ decision.at().toEpochMilli()) * PRIME;
        for (RowChange rowChange : decision.changes()) {
            hash = mix(hash, rowChange.toString());
        }
        return Long.toHexString(hash);
    }

    private static long mix(long hash, String text) {
        long mixed = (hash ^ text.length()) * PRIME;
        mixed = (mixed ^ text.hashCode()) * PRIME;
        return mixed ^ (mixed >>> 29);
    }
}
