package dev.flotilla.orchestrator.chapter;

import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.Read;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** One partition's rows as of a cut: of each key the newest record that belongs to it. */
final class TableAtCut {
    private final ConsistentCut consistentCut;
    private final Map<String, Read> counting = new LinkedHashMap<>();
    private final Set<String> later = new HashSet<>();

    TableAtCut(ConsistentCut consistentCut) {
        this.consistentCut = consistentCut;
    }

    void take(Read read) {
        String key = String.valueOf(read.record().key());
        if (belongs(read)) {
            counting.put(key, read);
            later.remove(key);
        } else if (!counting.containsKey(key)) {
            later.add(key);
        }
    }

    private boolean belongs(Read read) {
        if (OrchestratorPartitions.isInput(read.place().table())) {
            return read.offset() < consistentCut.decidedUpTo(read.place());
        }
        Long seq = read.record().headers().seqNumber();
        return seq == null || consistentCut.hasSeq(seq);
    }

    Collection<Read> counting() {
        return counting.values();
    }

    /** Keys of which only newer records were seen: new since, or what counts of them was compacted away. */
    Set<String> later() {
        return later;
    }
}
