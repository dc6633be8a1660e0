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
final class PartitionSnapshot {
    private final ConsistentCut consistentCut;
    private final Map<String, ConsumedRecord> recordsAtCut = new LinkedHashMap<>();
    private final Set<String> keysWrittenLater = new HashSet<>();

    PartitionSnapshot(ConsistentCut consistentCut) {
        this.consistentCut = consistentCut;
    }

    void addRecord(ConsumedRecord consumedRecord) {
        String key = String.valueOf(consumedRecord.record().key());
        if (belongs(consumedRecord)) {
            recordsAtCut.put(key, consumedRecord);
            keysWrittenLater.remove(key);
        } else if (!recordsAtCut.containsKey(key)) {
            keysWrittenLater.add(key);
        }
    }

    private boolean belongs(ConsumedRecord consumedRecord) {
        if (OrchestratorPartitions.isInput(consumedRecord.partition().table())) {
            return consumedRecord.offset() < consistentCut.decidedUpTo(consumedRecord.partition());
        }
        Long seq = consumedRecord.record().headers().seqNumber();
        return seq == null || consistentCut.hasSeq(seq);
    }

    Collection<ConsumedRecord> recordsAtCut() {
        return recordsAtCut.values();
    }

    /** Keys of which only newer records were seen: new since, or what counts of them was compacted away. */
    Set<String> keysWrittenLater() {
        return keysWrittenLater;
    }
}
