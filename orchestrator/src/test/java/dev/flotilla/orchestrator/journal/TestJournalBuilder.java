package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.orchestrator.leader.JournalHashChain;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a journal with an intact hash chain. */
final class TestJournalBuilder {
    private final List<ConsumedRecord> records = new ArrayList<>();
    private String journalHash = "";
    private long seq;
    private @Nullable JournalChapter chapter;
    private long cut;
    private String cutHash = "";

    /** Adds a decision, with the head row that every decision has. */
    TestJournalBuilder addDecision(RowChange... changes) {
        List<RowChange> all = new ArrayList<>(List.of(changes));
        all.add(head(seq + 1, journalHash));
        return addRecord("inventory-changed", all);
    }

    TestJournalBuilder startChapter(SiteId... excludedSites) {
        chapter = JournalChapter.after(chapter, seq + 1, instant(), List.of(excludedSites));
        addRecord(DecisionEvent.CHAPTER_STARTED.label(), List.of(head(seq + 1, journalHash)));
        cut = seq;
        cutHash = journalHash;
        return this;
    }

    /** Adds rows of the checkpoint, including the head row of its cut. */
    TestJournalBuilder addCheckpointPart(RowChange... rows) {
        List<RowChange> all = new ArrayList<>(List.of(rows));
        all.add(head(cut, cutHash));
        return addRecord(DecisionEvent.CHECKPOINT_PART_WRITTEN.label(), all);
    }

    /** Makes later checkpoint parts have the wrong head row. */
    TestJournalBuilder useWrongCut() {
        cut--;
        return this;
    }

    TestJournalBuilder completeChapter(long rows) {
        chapter = chapter.withCheckpointRows(rows);
        return addRecord(DecisionEvent.CHAPTER_COMPLETED.label(), List.of(head(seq + 1, journalHash)));
    }

    TestJournalBuilder addRecord(String event, List<RowChange> changes) {
        seq++;
        WireRecord record = WireRecordCodec.encode(
                new JournalRecord(seq, instant(), event, "fleet", "", changes, journalHash), seq);
        records.add(new ConsumedRecord(TablePartition.of(Table.JOURNAL), seq, 0, record));
        journalHash = JournalHashChain.hashOf(record);
        return this;
    }

    private FleetHead head(long of, String hash) {
        return new FleetHead(1, of, instant(), hash, 1, true, List.of(), chapter);
    }

    private Instant instant() {
        return Instant.ofEpochSecond(seq);
    }

    List<ConsumedRecord> records() {
        return records;
    }

    /** The result of verifying the journal from a record on. */
    JournalVerificationResult verifyFrom(long from) {
        JournalVerifier verifier = new JournalVerifier(from == 1, head(seq, journalHash));
        records.stream()
                .filter(consumedRecord -> consumedRecord.offset() >= from)
                .forEach(verifier::verifyRecord);
        return verifier.finishVerification();
    }
}
