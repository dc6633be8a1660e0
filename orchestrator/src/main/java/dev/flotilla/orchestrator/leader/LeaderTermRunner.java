package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.leader.FailedDecisionTracker;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.kafka.ComponentAcls;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.LeaderElectionConsumer;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.orchestrator.chapter.JournalChapterScheduler;
import dev.flotilla.orchestrator.follow.FleetTopicResetDetector;
import dev.flotilla.orchestrator.follow.PausedPartitions;
import dev.flotilla.orchestrator.follow.ProcessPauseDetector;
import dev.flotilla.orchestrator.follow.SiteTopicWatcher;
import dev.flotilla.orchestrator.follow.StateRestorer;
import dev.flotilla.orchestrator.follow.TableFollower;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one leader term, from fencing the previous leader to the end of the term. */
public final class LeaderTermRunner {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderTermRunner.class);

    /**
     * The longest poll: records and queries end a poll at once, but changes of sites and of the leader election are
     * checked this often.
     */
    private static final long MAX_POLL_MILLIS = 250;

    /** The interval of urgent commits: larger commits cost Kafka less, see ADR 28. */
    public static final Duration URGENT_COMMIT_INTERVAL = Duration.ofMillis(60);

    /** The interval of commits with only status, which start and stop nothing, see ADR 21. */
    private static final Duration STATUS_COMMIT_INTERVAL = Duration.ofMillis(150);

    private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** With this many undecided inputs no more are read: they wait in Kafka, and nothing is dropped. */
    private static final int MAX_PENDING = 4_000;

    private final OrchestratorLoopConfig config;
    private final StateQueryQueue stateQueryQueue;
    private final SiteTopicWatcher siteTopicWatcher;
    private final PartitionReader reader;
    private final TableFollower tableFollower;
    private final LeaderElectionConsumer leaderElection;
    private final ProcessPauseDetector processPauseDetector;
    private final BooleanSupplier isRunning;
    private final FailedDecisionTracker failedDecisions;
    private final PausedPartitions pausedPartitions;
    private List<TopicId> fleetTopics = List.of();
    private long refreshedNanos = Long.MIN_VALUE / 2;

    public LeaderTermRunner(
            OrchestratorLoopConfig config,
            StateQueryQueue stateQueryQueue,
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions,
            LeaderElectionConsumer leaderElection,
            ProcessPauseDetector processPauseDetector,
            FailedDecisionTracker failedDecisions,
            BooleanSupplier isRunning) {
        this.config = config;
        this.stateQueryQueue = stateQueryQueue;
        this.siteTopicWatcher = siteTopicWatcher;
        this.reader = reader;
        this.tableFollower = tableFollower;
        this.pausedPartitions = pausedPartitions;
        this.leaderElection = leaderElection;
        this.processPauseDetector = processPauseDetector;
        this.isRunning = isRunning;
        this.failedDecisions = failedDecisions;
    }

    /** Runs the term. Returns when another replica is elected or the process stops; throws for any failure. */
    public void runTerm() {
        try (TransactionalRowWriter writer = new TransactionalRowWriter(
                        config.clients(), ComponentAcls.ORCHESTRATOR_TRANSACTIONS, config.requestTimeout());
                JournalChapterScheduler journalChapterScheduler = new JournalChapterScheduler(
                        config.clients(),
                        config.name(),
                        config.requestTimeout(),
                        config.chapterPolicy(),
                        stateQueryQueue::wakeUp)) {
            writer.init();
            config.crashPoints().accept(LoopCrashPoint.FENCED);
            Map<TablePartition, Long> ends = reader.endOffsets(reader.assigned());
            if (!StateRestorer.readTo(ends, reader, tableFollower, pausedPartitions, isRunning)) {
                return;
            }
            StateRestorer.validateState(tableFollower, siteTopicWatcher.unreadable(), ends);
            StateRestorer.validateHead(tableFollower, StateRestorer.journalEnd(reader));
            checkTopics(ends);
            tableFollower.markRead(ends.keySet());
            config.crashPoints().accept(LoopCrashPoint.RESTORED);
            LeaderTerm term = new LeaderTerm(config, tableFollower, writer, journalChapterScheduler, failedDecisions);
            List<TablePartition> inputs = new ArrayList<>(reader.assigned());
            inputs.removeIf(tablePartition -> !OrchestratorPartitions.isInput(tablePartition.table()));
            pausedPartitions.resumeAll();
            reader.assign(inputs);
            term.setTopicIds(FleetScope.FLEET, fleetTopics);
            ends.keySet().retainAll(inputs);
            LeaderTermSites sites =
                    new LeaderTermSites(config, siteTopicWatcher, reader, tableFollower, term, isRunning);
            sites.startReading(ends);
            term.beginTerm();
            config.listener().roleChanged(ReplicaRole.LEADER, "");
            runLoop(term, sites);
        }
    }

    /** Compares the topics as they are now, when no other leader writes any more, with the head rows that were read. */
    private void checkTopics(Map<TablePartition, Long> ends) {
        siteTopicWatcher.refreshNow();
        List<TopicId> recorded = new ArrayList<>(tableFollower.head().topicIds());
        recorded.removeIf(topic -> TopicId.of(tableFollower.adoptedTopics(), topic.table()) != null);
        recorded.addAll(tableFollower.adoptedTopics());
        FleetTopicResetDetector.validateTopics(
                recorded, siteTopicWatcher.lastStatuses().fleet());
        fleetTopics = FleetTopicResetDetector.recordedTopics(
                siteTopicWatcher.lastStatuses().fleet());
        for (TablePartition tablePartition : ends.keySet()) {
            SiteId site = tablePartition.site();
            SiteHead head = site == null ? null : tableFollower.siteHeads().get(site);
            if (site != null && head != null) {
                SiteTopicProblem problem = siteTopicWatcher.findProblem(site, head);
                boolean lost = problem != null && !problem.lostTables().isEmpty();
                if (lost || StateRestorer.hasLostRecords(siteTopicWatcher, head, ends)) {
                    throw new KafkaFailure(
                            KafkaFailure.Kind.RECORDS_LOST,
                            "the topics of site " + site + " have changed since they were read",
                            null);
                }
            }
        }
    }

    private void runLoop(LeaderTerm term, LeaderTermSites sites) {
        boolean more = true;
        while (isRunning.getAsBoolean()) {
            if (!leaderElection.poll(Duration.ZERO)) {
                LOG.atInfo().log("leadership lost");
                return;
            }
            refreshSites(sites);
            if (term.countPending() < MAX_PENDING) {
                List<ConsumedRecord> reads = reader.poll(Duration.ofMillis(pollMillis(term, more)));
                processPauseDetector.checkForPause();
                term.enqueueRecords(tableFollower.decodeRecords(reads));
            }
            config.crashPoints().accept(LoopCrashPoint.POLLED);
            sites.onPolled();
            more = term.decideNext();
            if (term.hasUncommitted() && (term.isFull() || term.millisSinceCommit() >= commitInterval(term))) {
                term.commit();
            }
            if (!term.hasUncommittedDecisions() && term.isClockAhead()) {
                LOG.atWarn().log("term ended because the clock was set back");
                return;
            }
            if (!term.hasUncommittedDecisions()) {
                stateQueryQueue.answerQueries(
                        term.state(), ReplicaRole.LEADER, term.now(), config.clock()::monotonicNanos);
            }
        }
        if (term.hasUncommitted()) {
            term.commit();
        }
    }

    /** How long a poll may take, in view of the next commit and the next due work. */
    private long pollMillis(LeaderTerm term, boolean more) {
        long millis = more ? 0 : term.millisUntilDueWork(MAX_POLL_MILLIS);
        return term.hasUncommitted()
                ? Math.min(millis, Math.max(0, commitInterval(term) - term.millisSinceCommit()))
                : millis;
    }

    /** The interval between two commits: urgent commits are made soon, commits with only status wait for more. */
    private long commitInterval(LeaderTerm term) {
        return term.isUrgent() || stateQueryQueue.hasQueries()
                ? URGENT_COMMIT_INTERVAL.toMillis()
                : STATUS_COMMIT_INTERVAL.toMillis();
    }

    private void refreshSites(LeaderTermSites sites) {
        long now = config.clock().monotonicNanos();
        if (now - refreshedNanos >= REFRESH_NANOS) {
            refreshedNanos = now;
            FleetTopicResetDetector.validateTopics(
                    fleetTopics, siteTopicWatcher.lastStatuses().fleet());
            sites.refreshSites();
        }
    }
}
