package dev.flotilla.orchestrator.chapter;

import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.runtime.log.LogKey;
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
 * Schedules the journal's chapters during one leader term, on the deciding thread: whether a chapter is due, and the
 * checkpoint that is being read. Nothing of it outlives the term. The next leader reads in {@code head} how far the
 * last chapter got, and starts a new chapter if its checkpoint is not complete.
 */
public final class JournalChapterScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalChapterScheduler.class);

    /** Limits the retry delay: it doubles this many times at most, and each try writes a record. */
    private static final int MAX_DOUBLINGS = 6;

    private final KafkaClientSettings clients;
    private final String name;
    private final Duration patience;
    private final JournalChapterPolicy chapterPolicy;
    private final Runnable wakeUp;
    private @Nullable CheckpointReader checkpointReader;
    private long nextTryMillis = Long.MIN_VALUE;
    private int failedCheckpoints;

    /** @param wakeUp wakes the deciding thread when a chunk is ready */
    public JournalChapterScheduler(
            KafkaClientSettings clients,
            String name,
            Duration patience,
            JournalChapterPolicy chapterPolicy,
            Runnable wakeUp) {
        this.clients = clients;
        this.name = name;
        this.patience = patience;
        this.chapterPolicy = chapterPolicy;
        this.wakeUp = wakeUp;
    }

    /**
     * Whether a chapter must start.
     *
     * @param now wall-clock time of the decisions
     * @param millis monotonic time
     * @param readable sites whose tables can be read
     */
    public boolean isDue(FleetHead head, long now, long millis, Set<SiteId> readable) {
        if (checkpointReader != null || millis < nextTryMillis) {
            return false;
        }
        JournalChapter last = head.chapter();
        if (last != null && last.offset() == null && last.isComplete()) {
            // The next chapter names this one by its offset, which the next commit writes.
            return false;
        }
        return last == null
                || !last.isComplete()
                || now - last.startedAt().toEpochMilli()
                        >= chapterPolicy.maxAge().toMillis()
                || last.bytes() >= chapterPolicy.maxBytes()
                || last.excludedSites().stream().anyMatch(readable::contains);
    }

    /**
     * Starts to read the checkpoint's rows; the record that starts the chapter is committed.
     *
     * @param committedOffsets of each partition, the offset after the records that were committed with it
     */
    public void startChapter(
            ConsistentCut consistentCut, Map<TablePartition, Long> committedOffsets, Collection<SiteId> readable) {
        close();
        CheckpointReader next =
                new CheckpointReader(clients, name, patience, consistentCut, committedOffsets, readable, wakeUp);
        checkpointReader = next;
        next.start();
    }

    /** The next chunk of the checkpoint, or null. */
    public @Nullable CheckpointChunk pollChunk() {
        return checkpointReader == null ? null : checkpointReader.pollChunk();
    }

    public boolean hasChunks() {
        return checkpointReader != null && checkpointReader.hasChunks();
    }

    /** All rows of the checkpoint were written. */
    public void chapterCompleted() {
        close();
        failedCheckpoints = 0;
    }

    /** The checkpoint cannot be read; another one is tried later. */
    public void chapterFailed(String reason, long millis) {
        close();
        nextTryMillis = millis + (chapterPolicy.retryAfter().toMillis() << failedCheckpoints);
        failedCheckpoints = Math.min(failedCheckpoints + 1, MAX_DOUBLINGS);
        LOG.atWarn().addKeyValue(LogKey.REASON.label(), reason).log("journal checkpoint failed");
    }

    /** The sites whose rows a chapter that starts now leaves out. */
    public static List<SiteId> excludedSites(Collection<SiteId> known, Set<SiteId> readable) {
        return known.stream()
                .filter(site -> !readable.contains(site))
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
    }

    @Override
    public void close() {
        if (checkpointReader != null) {
            checkpointReader.close();
            checkpointReader = null;
        }
    }
}
