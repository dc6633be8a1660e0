package dev.flotilla.auditor.check;

import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.json.JsonParser;
import dev.flotilla.auditor.json.MalformedJson;
import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.Progress;
import dev.flotilla.auditor.wire.RawRecord;
import dev.flotilla.auditor.wire.Topic;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole of it, fed with records: the journal is the order of truth, and each decision is checked on the rows before
 * it; tables, inputs and workers' words are held against it wherever they are read.
 *
 * <p>The records of one partition must come in their order; partitions may be ahead of each other as they like. One
 * thread.
 */
public final class Audit {
    private final Findings findings;
    private final Fleet fleet = new Fleet();
    private final Attempts attempts = new Attempts();
    private final Awaited awaited;
    private final Chain chain;
    private final TableRules tables;
    private final HeadRules heads;
    private final InputRules inputs;
    private final EndRules ends;
    private final Words words;
    private final DecisionRules rules;

    /**
     * Null as soon as the rows are known: from the journal's first record on, from a chapter's checkpoint, or from what
     * the tables showed.
     */
    private @Nullable JoinedTables base = new JoinedTables();

    /** While the rows are not known: a chapter whose checkpoint is being read. */
    private @Nullable OpeningChapter opening;

    private boolean live;
    private long headMissedSince = Long.MIN_VALUE;
    private long decisions;
    private int maxInFlight;

    public Audit(Consumer<Violation> listener) {
        findings = new Findings(listener);
        awaited = new Awaited(findings);
        chain = new Chain(findings);
        tables = new TableRules(findings);
        heads = new HeadRules(findings, chain);
        inputs = new InputRules(findings, awaited);
        ends = new EndRules(fleet, findings, attempts, awaited);
        words = new Words(new CallRules(findings, attempts), attempts);
        rules = new DecisionRules(fleet, findings, attempts, ends);
    }

    /** Takes a record of any topic. */
    public void take(RawRecord record) {
        Topic topic = Topic.parse(record.topic());
        if (topic == null) {
            return;
        }
        if (topic.is("journal")) {
            journal(record);
        } else if (record.key() == null) {
            findings.broken(Invariant.ZOMBIE, record.coordinates() + " has no key");
        } else {
            table(record, new Place(topic, record.key()));
        }
    }

    private void journal(RawRecord record) {
        byte[] value = record.value();
        JournalRecord decision;
        try {
            decision = JournalRecord.parse(value == null ? new byte[0] : value);
        } catch (MalformedJson e) {
            findings.broken(Invariant.JOURNAL, record.coordinates() + " cannot be read: it " + e.getMessage());
            return;
        }
        if (base == null) {
            words.before(record.appendMillis(), chain.seq());
        }
        findings.about(decision.seq(), decision.time());
        chain.check(decision, value == null ? new byte[0] : value);
        if (base != null && chain.first() == 1) {
            base = null;
        }
        JoinedTables joining = base;
        if (joining == null) {
            judge(decision, record.appendMillis());
        } else {
            join(joining, decision, record.appendMillis());
        }
    }

    private void judge(JournalRecord decision, long append) {
        if (decision.isCheckpoint()) {
            // Its rows stood when the chapter began: by now there may be newer ones.
            heads.decided(decision.seq());
            return;
        }
        decisions++;
        rules.check(decision, append);
        maxInFlight = Math.max(maxInFlight, fleet.flights().ofFleet());
        tables.decided(decision);
        heads.decided(decision.seq());
        inputs.decided(decision);
    }

    /** The rows are not known yet: they are those of the first whole checkpoint, or of the tables where none comes. */
    private void join(JoinedTables joining, JournalRecord decision, long append) {
        heads.decided(decision.seq());
        OpeningChapter chapter = opening;
        if (decision.event().equals(JournalRecord.CHAPTER_BEGUN)) {
            leave(joining);
            opening = new OpeningChapter(decision.seq());
            beforeTheBase(joining, decision);
        } else if (chapter == null) {
            beforeTheBase(joining, decision);
        } else if (decision.isCheckpoint()) {
            chapter.rows(decision.facts());
        } else {
            chapter.hold(decision, append);
            if (decision.event().equals(JournalRecord.CHAPTER_COMPLETED)) {
                begin(chapter);
            }
        }
    }

    private void beforeTheBase(JoinedTables joining, JournalRecord decision) {
        if (!decision.isCheckpoint()) {
            joining.decided(decision.seq(), decision.facts());
        }
        tables.base(decision.seq());
        findings.unverified("decisions before the base");
    }

    /** What was decided since a chapter began whose checkpoint never became whole is before the base, too. */
    private void leave(JoinedTables joining) {
        OpeningChapter left = opening;
        opening = null;
        if (left != null) {
            left.held().forEach(held -> beforeTheBase(joining, held.decision()));
        }
    }

    /** The rows are those of a chapter's checkpoint, and each decision since is checked. */
    private void begin(OpeningChapter chapter) {
        base = null;
        opening = null;
        chapter.put(fleet);
        opened(chapter.seq());
        for (OpeningChapter.Held held : chapter.held()) {
            JournalRecord decision = held.decision();
            words.before(held.append(), decision.seq() - 1);
            findings.about(decision.seq(), decision.time());
            judge(decision, held.append());
        }
    }

    /** The rows as of a decision are known from here on; of attempts that began before, what is in them. */
    private void opened(long seq) {
        attempts.forgotten(seq + 1);
        rules.openBooks();
        maxInFlight = fleet.flights().ofFleet();
    }

    private void table(RawRecord record, Place place) {
        Json json;
        Fact fact;
        try {
            json = record.value() == null ? null : JsonParser.parse(record.value());
            fact = Fact.of(place, json);
        } catch (MalformedJson e) {
            unreadable(record, place, e.getMessage());
            return;
        }
        Topic topic = place.topic();
        if (topic.isInput()) {
            inputs.stands(place, fact.row());
            if (base != null) {
                base.input(fact, record);
            }
        } else if (topic.is("progress")) {
            if (fact.row() instanceof Progress progress) {
                words.heard(progress, record.appendMillis(), live);
            }
        } else {
            output(record, place, json, fact);
        }
    }

    private void output(RawRecord record, Place place, @Nullable Json json, Fact fact) {
        Long seq = record.seq();
        if (place.topic().is("head")) {
            heads.shows(place, seq, fact.row());
        } else {
            tables.shows(place, seq, json, record.coordinates());
        }
        if (base != null && seq != null) {
            base.output(fact, seq);
        }
    }

    /** Others may write what nobody can read; the orchestrator may not. */
    private void unreadable(RawRecord record, Place place, @Nullable String problem) {
        if (place.topic().isInput() || place.topic().is("progress")) {
            findings.unverified("input records that cannot be read");
        } else {
            findings.broken(Invariant.ZOMBIE, place + " at " + record.coordinates() + " cannot be read: it " + problem);
        }
    }

    /** A topic has another number of partitions than its table: nobody knows what the others read of it. */
    public void repartitioned(String topic, int partitions) {
        findings.unverified("topic " + topic + " has " + partitions + " partitions, which is not what its table has");
    }

    /** Everything that stood in all topics a moment ago has been taken; {@code now} is any clock that only goes on. */
    public void caughtUp(long now) {
        if (base != null && !based(base)) {
            return;
        }
        words.caughtUp(now, chain.seq());
        awaited.caughtUp(now);
        tables.caughtUp(now);
        heads(now);
        if (!live) {
            live = true;
            inputs.live();
            ends.live();
            tables.live();
        }
    }

    /** Whether the rows are known now. */
    private boolean based(JoinedTables rows) {
        if (!rows.isReady(chain.seq())) {
            return false;
        }
        leave(rows);
        base = null;
        int unknown = rows.build(fleet);
        for (int i = 0; i < unknown; i++) {
            findings.unverified("inputs of which nothing decided is left");
        }
        opened(chain.seq());
        return true;
    }

    private void heads(long now) {
        if (!heads.isAhead()) {
            headMissedSince = Long.MIN_VALUE;
        } else if (headMissedSince == Long.MIN_VALUE) {
            headMissedSince = now;
        } else if (now - headMissedSince >= Awaited.GRACE) {
            headMissedSince = Long.MAX_VALUE;
            findings.broken(
                    Invariant.JOURNAL,
                    "head/fleet is at seq " + heads.seq() + ", and the journal ends with " + chain.seq());
        }
    }

    public Findings findings() {
        return findings;
    }

    /** The newest decision that was read. */
    public long seq() {
        return chain.seq();
    }

    /** How many decisions were checked. */
    public long decisions() {
        return decisions;
    }

    public int inFlight() {
        return fleet.flights().ofFleet();
    }

    public int maxInFlight() {
        return maxInFlight;
    }

    /** Whether what is found now happened while it was watched, and is no old story. */
    public boolean isLive() {
        return live;
    }

    public boolean isFrozenByOrder() {
        return fleet.frozenByOrder("fleet/freeze");
    }

    /** Whether nothing is waited for any more: everything that was read has been judged. */
    public boolean isSettled() {
        return base == null && awaited.isEmpty() && tables.isSettled() && words.isEmpty();
    }

    /** Who is still to be upgraded, at most so many: an attempt open, or waiting. */
    public List<String> unfinished(int most) {
        return Unfinished.machines(fleet, most);
    }

    /** The run is said to be over: whoever is not finished now was lost. */
    public void runIsOver() {
        for (String machine : unfinished(Integer.MAX_VALUE)) {
            findings.broken(Invariant.NOTHING_LOST, machine + ", and the run is over");
        }
    }
}
