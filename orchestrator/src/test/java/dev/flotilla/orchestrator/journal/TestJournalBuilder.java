package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.orchestrator.loop.JournalHashChain;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A journal written by hand, with a chain that is whole. */
final class TestJournalBuilder {
    private final List<ConsumedRecord> reads = new ArrayList<>();
    private String chain = "";
    private long seq;
    private @Nullable JournalChapter chapter;
    private long cut;
    private String cutHash = "";

    /** A decision, with the head that every decision has. */
    TestJournalBuilder decided(RowChange... facts) {
        List<RowChange> all = new ArrayList<>(List.of(facts));
        all.add(head(seq + 1, chain));
        return record("inventory-changed", all);
    }

    TestJournalBuilder begins(SiteId... without) {
        chapter = JournalChapter.after(chapter, seq + 1, instant(), List.of(without));
        record(DecisionEvent.CHAPTER_STARTED.label(), List.of(head(seq + 1, chain)));
        cut = seq;
        cutHash = chain;
        return this;
    }

    /** Rows of the checkpoint, the head as of its cut among them. */
    TestJournalBuilder checkpoint(RowChange... rows) {
        List<RowChange> all = new ArrayList<>(List.of(rows));
        all.add(head(cut, cutHash));
        return record(DecisionEvent.CHECKPOINT_PART_WRITTEN.label(), all);
    }

    /** From here on checkpoints have another head than that of their cut. */
    TestJournalBuilder mistakesTheCut() {
        cut--;
        return this;
    }

    TestJournalBuilder completes(long rows) {
        chapter = chapter.withCheckpointRows(rows);
        return record(DecisionEvent.CHAPTER_COMPLETED.label(), List.of(head(seq + 1, chain)));
    }

    TestJournalBuilder record(String event, List<RowChange> facts) {
        seq++;
        WireRecord record =
                WireRecordCodec.encode(new JournalRecord(seq, instant(), event, "fleet", "", facts, chain), seq);
        reads.add(new ConsumedRecord(TablePartition.of(Table.JOURNAL), seq, 0, record));
        chain = JournalHashChain.hashOf(record);
        return this;
    }

    private FleetHead head(long of, String hash) {
        return new FleetHead(1, of, instant(), hash, 1, true, List.of(), chapter);
    }

    private Instant instant() {
        return Instant.ofEpochSecond(seq);
    }

    List<ConsumedRecord> reads() {
        return reads;
    }

    /** What verifying it comes to, from a record on. */
    JournalVerificationResult verdict(long from) {
        JournalVerifier verifier = new JournalVerifier(from == 1, head(seq, chain));
        reads.stream().filter(consumedRecord -> consumedRecord.offset() >= from).forEach(verifier::verifyRecord);
        return verifier.finishVerification();
    }
}
