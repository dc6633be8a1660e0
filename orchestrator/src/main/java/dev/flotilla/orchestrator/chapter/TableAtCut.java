package dev.flotilla.orchestrator.chapter;

import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** One partition's rows as of a cut: of each key the newest record that belongs to it. */
final class TableAtCut {
    private final ConsistentCut consistentCut;
    private final Map<String, ConsumedRecord> counting = new LinkedHashMap<>();
    private final Set<String> later = new HashSet<>();

    TableAtCut(ConsistentCut consistentCut) {
        this.consistentCut = consistentCut;
    }

    void take(ConsumedRecord consumedRecord) {
        String key = String.valueOf(consumedRecord.record().key());
        if (belongs(consumedRecord)) {
            counting.put(key, consumedRecord);
            later.remove(key);
        } else if (!counting.containsKey(key)) {
            later.add(key);
        }
    }

    private boolean belongs(ConsumedRecord consumedRecord) {
        if (OrchestratorPartitions.isInput(consumedRecord.partition().table())) {
            return consumedRecord.offset() < consistentCut.decidedUpTo(consumedRecord.partition());
        }
        Long seq = consumedRecord.record().headers().seqNumber();
        return seq == null || consistentCut.hasSeq(seq);
    }

    Collection<ConsumedRecord> counting() {
        return counting.values();
    }

    /** Keys of which only newer records were seen: new since, or what counts of them was compacted away. */
    Set<String> later() {
        return later;
    }
}
