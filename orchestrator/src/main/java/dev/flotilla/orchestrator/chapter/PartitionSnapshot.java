package dev.flotilla.orchestrator.chapter;

import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The rows of one partition as of a consistent cut: for each key the newest record within the cut. */
final class PartitionSnapshot {
    private final ConsistentCut consistentCut;
    private final Map<String, ConsumedRecord> recordsAtCut = new LinkedHashMap<>();
    private final Set<String> keysWrittenLater = new HashSet<>();

    PartitionSnapshot(ConsistentCut consistentCut) {
        this.consistentCut = consistentCut;
    }

    void addRecord(ConsumedRecord consumedRecord) {
        String key = String.valueOf(consumedRecord.record().key());
        if (isWithinCut(consumedRecord)) {
            recordsAtCut.put(key, consumedRecord);
            keysWrittenLater.remove(key);
        } else if (!recordsAtCut.containsKey(key)) {
            keysWrittenLater.add(key);
        }
    }

    private boolean isWithinCut(ConsumedRecord consumedRecord) {
        if (OrchestratorPartitions.isInput(consumedRecord.partition().table())) {
            return consumedRecord.offset() < consistentCut.decidedUpTo(consumedRecord.partition());
        }
        Long seq = consumedRecord.record().headers().seqNumber();
        return seq == null || consistentCut.hasSeq(seq);
    }

    Collection<ConsumedRecord> recordsAtCut() {
        return recordsAtCut.values();
    }

    /** Keys for which only records after the cut were read: the key is new, or compaction removed its older record. */
    Set<String> keysWrittenLater() {
        return keysWrittenLater;
    }
}
