package dev.flotilla.orchestrator.chapter;

import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal's chapters during one term, on the thread that decides: whether one is to begin, and the checkpoint that is
 * being read. Nothing of it outlives the term: the next leader sees in {@code head} how far the last chapter came, and
 * begins a new one where that was not to its end.
 */
public final class JournalChapterScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalChapterScheduler.class);

    /** What cannot be read now will hardly be a little later: the wait doubles so often, and each try is a record. */
    private static final int MOST_DOUBLINGS = 6;

    private final KafkaClientSettings clients;
    private final String name;
    private final Duration patience;
    private final JournalChapterPolicy rules;
    private final Runnable bell;
    private @Nullable CheckpointReader reading;
    private long notBefore = Long.MIN_VALUE;
    private int chapterFailed;

    /** @param bell wakes the thread that decides, when there is something to take */
    public JournalChapterScheduler(
            KafkaClientSettings clients, String name, Duration patience, JournalChapterPolicy rules, Runnable bell) {
        this.clients = clients;
        this.name = name;
        this.patience = patience;
        this.rules = rules;
        this.bell = bell;
    }

    /**
     * Whether a chapter is to begin.
     *
     * @param now of the clock that decides
     * @param millis of a clock that only goes on
     * @param readable the sites whose tables can be read
     */
    public boolean isDue(FleetHead head, long now, long millis, Set<SiteId> readable) {
        if (reading != null || millis < notBefore) {
            return false;
        }
        JournalChapter last = head.chapter();
        if (last != null && last.offset() == null && last.isComplete()) {
            // The next one is to name it, and where it stands is written with the next commit.
            return false;
        }
        return last == null
                || !last.isComplete()
                || now - last.startedAt().toEpochMilli() >= rules.maxAge().toMillis()
                || last.bytes() >= rules.maxBytes()
                || last.excludedSites().stream().anyMatch(readable::contains);
    }

    /**
     * The record that begins one is committed: its rows are read from now on.
     *
     * @param written the offset after what was committed with it, of each place
     */
    public void startChapter(
            ConsistentCut consistentCut, Map<TablePartition, Long> written, Collection<SiteId> readable) {
        close();
        CheckpointReader next = new CheckpointReader(clients, name, patience, consistentCut, written, readable, bell);
        reading = next;
        next.start();
    }

    /** What has been read since, or null. */
    public @Nullable CheckpointChunk pollChunk() {
        return reading == null ? null : reading.pollChunk();
    }

    public boolean hasChunks() {
        return reading != null && reading.hasChunks();
    }

    /** All rows of the checkpoint have been taken. */
    public void chapterCompleted() {
        close();
        chapterFailed = 0;
    }

    /** The checkpoint cannot be had; another one is tried a while later. */
    public void chapterFailed(String why, long millis) {
        close();
        notBefore = millis + (rules.retryAfter().toMillis() << chapterFailed);
        chapterFailed = Math.min(chapterFailed + 1, MOST_DOUBLINGS);
        LOG.atWarn().addKeyValue("reason", why).log("gave up a checkpoint of the journal: it begins a new one later");
    }

    /** The sites of which a chapter that begins now has no rows. */
    public static List<SiteId> excludedSites(Collection<SiteId> known, Set<SiteId> readable) {
        return known.stream()
                .filter(site -> !readable.contains(site))
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
    }

    @Override
    public void close() {
        if (reading != null) {
            reading.close();
            reading = null;
        }
    }
}
