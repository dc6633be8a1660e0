package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.core.leader.TermSiteStates;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TopicSetStatus;
import dev.flotilla.orchestrator.follow.PausedPartitions;
import dev.flotilla.orchestrator.follow.SiteReadGapTimer;
import dev.flotilla.orchestrator.follow.SiteTopicWatcher;
import dev.flotilla.orchestrator.follow.StateRestorer;
import dev.flotilla.orchestrator.follow.TableFollower;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sites of a leader term: those that are read, and those that are suspended because their topics cannot be used.
 */
final class LeaderTermSites {
    private static final int POLL_RECORDS = 2_000;

    private final OrchestratorLoopConfig config;
    private final SiteTopicWatcher siteTopicWatcher;
    private final PartitionReader reader;
    private final TableFollower tableFollower;
    private final LeaderTerm term;
    private final BooleanSupplier isRunning;
    private final TermSiteStates siteStates = new TermSiteStates();
    private final SiteReadGapTimer siteReadGapTimer;

    /** End offsets of the inputs that waited when reading started. */
    private final Map<TablePartition, Long> backlogEnds = new LinkedHashMap<>();

    LeaderTermSites(
            OrchestratorLoopConfig config,
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            LeaderTerm term,
            BooleanSupplier isRunning) {
        this.config = config;
        this.siteTopicWatcher = siteTopicWatcher;
        this.reader = reader;
        this.tableFollower = tableFollower;
        this.term = term;
        this.isRunning = isRunning;
        this.siteReadGapTimer = new SiteReadGapTimer(config.clock());
    }

    /** Starts the term with these inputs. Those before the given end offsets are decided before due work. */
    void startReading(Map<TablePartition, Long> inputs) {
        for (TablePartition tablePartition : inputs.keySet()) {
            term.setNextOffset(tablePartition, tableFollower.decidedUpTo(tablePartition));
            SiteId site = tablePartition.site();
            if (site != null && siteStates.markRead(site)) {
                term.monitorHeartbeats(site, tableFollower);
                recordTopicIds(site);
            }
        }
        backlogEnds.putAll(inputs);
        suspendUnreadSites();
        endBacklogWhenRead();
    }

    /** Called after each poll: ends the backlog when all of it is read. */
    void onPolled() {
        if (backlogEnds.entrySet().removeIf(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            endBacklogWhenRead();
        }
    }

    private void endBacklogWhenRead() {
        if (backlogEnds.isEmpty()) {
            term.endBacklog();
        }
    }

    /**
     * Suspends sites that have a head row and cannot be read, because their machines in flight count; keeps those that
     * are suspended already.
     */
    private void suspendUnreadSites() {
        for (SiteHead head : tableFollower.siteHeads().values()) {
            SiteId site = head.site();
            if (!siteStates.isRead(site)) {
                SiteTopicProblem found = siteTopicWatcher.findProblem(site, head);
                SiteTopicProblem problem =
                        found == null ? SiteTopicProblem.temporaryProblem("it was not read yet") : found;
                siteStates.suspendSite(site, problem);
                term.suspendSite(site, problem);
            } else if (head.unreachableSince() != null) {
                siteStates.keepSuspended(site);
            }
        }
    }

    private void recordTopicIds(SiteId site) {
        TopicSetStatus found = siteTopicWatcher.lastStatuses().sites().get(site);
        if (found != null && found.complete()) {
            term.setTopicIds(site, found.topics());
        }
    }

    /**
     * Adds sites whose topics appeared, suspends those whose topics cannot be used, and resumes those whose topics can
     * be used again.
     */
    void refreshSites() {
        Map<SiteId, SiteHead> heads = term.siteHeads();
        for (SiteId site : siteTopicWatcher.allSites(heads.keySet())) {
            SiteTopicProblem problem = siteTopicWatcher.findProblem(site, heads.get(site));
            refreshSite(site, heads.get(site), problem);
        }
    }

    private void refreshSite(SiteId site, @Nullable SiteHead head, @Nullable SiteTopicProblem problem) {
        switch (siteStates.nextStep(site, head, problem, siteTopicWatcher.isComplete(site))) {
            case SUSPEND -> suspend(site, Objects.requireNonNull(problem));
            case READ -> {
                if (term.hasUncommittedDecisions()) {
                    // A row that is decided and not committed would be replaced by the older one that is read.
                    term.commit();
                }
                if (addSite(site, head)) {
                    refreshSite(site, head, problem);
                }
            }
            case RESUME -> resume(site);
            case END_TERM ->
                throw new KafkaFailure(
                        KafkaFailure.Kind.RECORDS_LOST,
                        "the topics of site " + site + " were adopted and must be read again",
                        null);
            case NOTHING -> {
                // It is read and its topics can be used, or it does not exist yet.
            }
        }
    }

    private void suspend(SiteId site, SiteTopicProblem problem) {
        if (siteStates.suspendSite(site, problem)) {
            config.listener().siteSuspended(site, problem.reason());
        }
        stopReading(site);
        siteReadGapTimer.startGap(site);
        term.suspendSite(site, problem);
    }

    /** Stops reading a site: its records wait in Kafka, and nothing waits for them. */
    private void stopReading(SiteId site) {
        Set<TablePartition> kept = new LinkedHashSet<>(reader.assigned());
        if (kept.removeIf(tablePartition -> site.equals(tablePartition.site()))) {
            reader.assign(kept);
            backlogEnds.keySet().removeIf(tablePartition -> site.equals(tablePartition.site()));
            endBacklogWhenRead();
        }
    }

    private void resume(SiteId site) {
        siteReadGapTimer.endGap(site);
        siteStates.resumeSite(site);
        config.listener().siteResumed(site);
        continueReading(site);
        term.resumeSite(site);
    }

    /** Reads a site's inputs again from the first undecided one; due work waits until they are read. */
    private void continueReading(SiteId site) {
        List<TablePartition> inputs = new ArrayList<>(OrchestratorPartitions.inputsOf(site));
        inputs.removeAll(reader.assigned());
        if (!inputs.isEmpty()) {
            StateRestorer.addPartitions(reader, inputs);
            inputs.forEach(tablePartition -> reader.seek(tablePartition, term.nextOffset(tablePartition)));
            backlogEnds.putAll(reader.endOffsets(inputs));
            term.expectBacklog();
        }
    }

    /** Reads all rows of a new site and continues with its inputs. Returns whether that was possible. */
    private boolean addSite(SiteId site, @Nullable SiteHead head) {
        try (PartitionReader siteReader = new PartitionReader(
                config.clients(), config.name() + "-" + site, POLL_RECORDS, config.requestTimeout())) {
            List<TablePartition> partitions = StateRestorer.partitionsOf(site);
            StateRestorer.addPartitions(siteReader, partitions);
            Map<TablePartition, Long> ends = siteReader.endOffsets(partitions);
            TableFollower siteFollower = tableFollower.forTerm(term.state(), term.siteHeads());
            if (StateRestorer.hasLostRecords(siteTopicWatcher, head, ends)
                    || !StateRestorer.readTo(
                            ends, siteReader, siteFollower, new PausedPartitions(siteReader), isRunning)) {
                return false;
            }
            siteFollower.requireReadable(siteTopicWatcher.unreadable());
            siteFollower.markRead(partitions);
            List<TablePartition> inputs = OrchestratorPartitions.inputsOf(site);
            StateRestorer.addPartitions(reader, inputs);
            for (TablePartition tablePartition : inputs) {
                reader.seek(tablePartition, siteReader.nextOffset(tablePartition));
                term.setNextOffset(tablePartition, siteFollower.decidedUpTo(tablePartition));
            }
            term.monitorHeartbeats(site, siteFollower);
            recordTopicIds(site);
            term.addBacklog(site, siteFollower.removeWaitingInputs());
            siteStates.markRead(site);
        }
        config.listener().siteResumed(site);
        return true;
    }
}
