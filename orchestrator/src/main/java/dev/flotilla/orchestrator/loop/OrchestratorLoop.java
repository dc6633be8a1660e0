package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.leader.FailedDecisionTracker;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.kafka.ComponentAcls;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.LeaderElectionConsumer;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.follow.DecodeAheadThread;
import dev.flotilla.orchestrator.follow.FleetTopicResetDetector;
import dev.flotilla.orchestrator.follow.LeadershipRefusedException;
import dev.flotilla.orchestrator.follow.PausedPartitions;
import dev.flotilla.orchestrator.follow.ProcessPauseDetector;
import dev.flotilla.orchestrator.follow.SiteRetryBackoff;
import dev.flotilla.orchestrator.follow.SiteTopicWatcher;
import dev.flotilla.orchestrator.follow.StateRestorer;
import dev.flotilla.orchestrator.follow.TableFollower;
import dev.flotilla.orchestrator.follow.UnreadableOwnRows;
import dev.flotilla.orchestrator.leader.LeaderTermRunner;
import dev.flotilla.orchestrator.leader.LoopCrashPoint;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.runtime.retry.JitteredBackoff;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that owns the state, from its start to its orderly end. */
public final class OrchestratorLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrchestratorLoop.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int POLL_RECORDS = 2_000;

    /** A standby that has more unread records than this does not lead. */
    private static final long MAX_UNREAD_RECORDS = 50_000;

    private static final long STOP_MILLIS = 15_000;
    /** A standby need not poll for each commit: several commits cost hardly more than one. */
    private static final long STANDBY_PAUSE_MILLIS = 100;

    private static final JitteredBackoff FAILURE_BACKOFF = JitteredBackoff.constant(Duration.ofMillis(200));
    private static final JitteredBackoff REFUSAL_BACKOFF = JitteredBackoff.constant(Duration.ofSeconds(5));

    private final OrchestratorLoopConfig config;
    private final StateQueryQueue stateQueryQueue;
    private final FailedDecisionTracker failedDecisions = new FailedDecisionTracker();
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final SiteRetryBackoff siteRetryBackoff;
    private final UnreadableOwnRows unreadable;

    public OrchestratorLoop(OrchestratorLoopConfig config, StateQueryQueue stateQueryQueue) {
        this.config = config;
        this.stateQueryQueue = stateQueryQueue;
        this.siteRetryBackoff = new SiteRetryBackoff(config.clock());
        this.unreadable = new UnreadableOwnRows(config.clock());
        this.thread = Thread.ofPlatform()
                .name("decisions")
                .uncaughtExceptionHandler((ended, bug) -> config.listener().loopFailed(bug))
                .unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Ends the term in order, if there is one, so that another replica takes over. Waits for the end. */
    @Override
    public void close() {
        stop.countDown();
        stateQueryQueue.wakeUp();
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isRunning() {
        return stop.getCount() > 0;
    }

    private void run() {
        while (isRunning()) {
            try {
                runOnce();
            } catch (KafkaFailure failure) {
                LOG.atWarn()
                        .addKeyValue(LogKey.REASON.label(), failure.kind().label())
                        .addKeyValue(LogKey.DETAIL.label(), failure.getMessage())
                        .log("state dropped after a Kafka failure");
                backOffSite(failure);
                config.listener().stateReset(failure.kind());
                config.listener().roleChanged(ReplicaRole.RESTORING, String.valueOf(failure.getMessage()));
                pause(FAILURE_BACKOFF.delayMillis());
            } catch (FailedDecisionTracker.InputDecisionException bug) {
                failedDecisions.countFailure(bug);
                handleFailedDecision(bug);
            } catch (DecisionFailedException bug) {
                failedDecisions.countFailure(bug);
                handleFailedDecision(bug);
            } catch (LeadershipRefusedException refused) {
                LOG.atError()
                        .addKeyValue(LogKey.REASON.label(), "refused")
                        .addKeyValue(LogKey.DETAIL.label(), refused.getMessage())
                        .log("leadership refused");
                config.listener().roleChanged(ReplicaRole.REFUSING, String.valueOf(refused.getMessage()));
                pause(REFUSAL_BACKOFF.delayMillis());
            }
        }
    }

    private void backOffSite(KafkaFailure failure) {
        Topic topic = failure.topic();
        if (topic != null && topic.site() != null) {
            siteRetryBackoff.recordRefusal(topic.site(), "Kafka rejected a row: " + failure.getMessage());
        }
    }

    /**
     * Handles a bug in a decision: the state may be half changed, so it is dropped and restored, and the decision is
     * tried once more.
     */
    private void handleFailedDecision(RuntimeException bug) {
        LOG.atError()
                .setCause(bug)
                .addKeyValue(LogKey.DETAIL.label(), bug.getMessage())
                .log("state dropped after a failed decision");
        config.listener().decisionFailed();
        config.listener().roleChanged(ReplicaRole.RESTORING, String.valueOf(bug.getMessage()));
        pause(FAILURE_BACKOFF.delayMillis());
    }

    private void pause(long millis) {
        try {
            if (stop.await(millis, TimeUnit.MILLISECONDS)) {
                LOG.debug("loop stopped");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Restores the tables, follows them, and leads until the term or the process ends. */
    private void runOnce() {
        config.listener().roleChanged(ReplicaRole.RESTORING, "");
        try (SiteTopicWatcher siteTopicWatcher = new SiteTopicWatcher(config.clients(), siteRetryBackoff, unreadable);
                DecodeAheadThread ahead = new DecodeAheadThread();
                PartitionReader reader = new PartitionReader(
                        config.clients(), config.name() + "-tables", POLL_RECORDS, config.requestTimeout())) {
            siteTopicWatcher.start();
            stateQueryQueue.setWakeUp(reader::wakeUp);
            TableFollower tableFollower = new TableFollower(ahead);
            PausedPartitions pausedPartitions = new PausedPartitions(reader);
            if (restore(siteTopicWatcher, reader, tableFollower, pausedPartitions)) {
                runStandby(siteTopicWatcher, reader, tableFollower, pausedPartitions);
            }
        }
    }

    private boolean restore(
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions) {
        long started = config.clock().monotonicNanos();
        List<TablePartition> heads = List.of(TablePartition.of(Table.HEAD));
        StateRestorer.addPartitions(reader, heads);
        if (!StateRestorer.readTo(reader.endOffsets(heads), reader, tableFollower, pausedPartitions, this::isRunning)) {
            return false;
        }
        FleetTopicResetDetector.adoptTopics(
                tableFollower,
                siteTopicWatcher.lastStatuses().fleet(),
                () -> new PartitionReader(
                        config.clients(), config.name() + "-orders", POLL_RECORDS, config.requestTimeout()),
                this::isRunning);
        // The head rows say which topics the tables must have; other topics are not read.
        List<TablePartition> partitions = StateRestorer.partitionsOf(
                StateRestorer.findReadableSites(siteTopicWatcher, reader, tableFollower.siteHeads()));
        StateRestorer.addPartitions(reader, partitions);
        tableFollower.newestDecision().raiseLimit(StateRestorer.journalEnd(reader));
        boolean restored = StateRestorer.readTo(
                reader.endOffsets(partitions), reader, tableFollower, pausedPartitions, this::isRunning);
        if (restored) {
            tableFollower.markRead(partitions);
            // Validated after the tables are read. A replica that could not lead is not a ready standby, and reports
            // so.
            StateRestorer.validateState(tableFollower, unreadable, reader.endOffsets(partitions));
        }
        config.listener()
                .stateRestored(
                        tableFollower.countRecords(),
                        TimeUnit.NANOSECONDS.toMillis(config.clock().monotonicNanos() - started));
        return restored;
    }

    /** Follows the tables as a standby until this replica is elected, and then leads. */
    private void runStandby(
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions) {
        config.listener().roleChanged(ReplicaRole.STANDBY, "");
        ProcessPauseDetector processPauseDetector = new ProcessPauseDetector(config.clock());
        try (LeaderElectionConsumer leaderElection = new LeaderElectionConsumer(
                config.clients(),
                config.name(),
                ComponentAcls.LEADER_GROUP,
                Topic.of(Table.LEADER).name(),
                config.sessionTimeout())) {
            while (isRunning()) {
                boolean isElected = leaderElection.poll(Duration.ZERO);
                followNewSites(siteTopicWatcher, reader, tableFollower.siteHeads());
                List<ConsumedRecord> reads = reader.poll(POLL);
                processPauseDetector.checkForPause();
                tableFollower.applyRecords(tableFollower.decodeRecords(reads));
                tableFollower.requireReadable(unreadable);
                pausedPartitions.pauseFullPartitions(tableFollower);
                stateQueryQueue.answerQueries(
                        tableFollower.state(),
                        ReplicaRole.STANDBY,
                        tableFollower.head().decidedAt(),
                        config.clock()::monotonicNanos);
                long unread = StateRestorer.countUnread(reader, tableFollower);
                if (unread > MAX_UNREAD_RECORDS) {
                    throw new KafkaFailure(
                            KafkaFailure.Kind.UNREACHABLE,
                            "the standby fell behind its tables by " + unread + " records",
                            null);
                }
                if (isElected) {
                    config.crashPoints().accept(LoopCrashPoint.HINTED);
                    new LeaderTermRunner(
                                    config,
                                    stateQueryQueue,
                                    siteTopicWatcher,
                                    reader,
                                    tableFollower,
                                    pausedPartitions,
                                    leaderElection,
                                    processPauseDetector,
                                    failedDecisions,
                                    this::isRunning)
                            .runTerm();
                    return;
                }
                if (reads.size() < POLL_RECORDS) {
                    pause(STANDBY_PAUSE_MILLIS);
                }
            }
        }
    }

    /**
     * Follows sites whose topics have appeared. If a followed site becomes unreadable, the restore starts again without
     * it.
     */
    private static void followNewSites(
            SiteTopicWatcher siteTopicWatcher, PartitionReader reader, Map<SiteId, SiteHead> heads) {
        Set<TablePartition> assigned = reader.assigned();
        boolean hasNewSite = false;
        for (SiteId site : siteTopicWatcher.allSites(heads.keySet())) {
            boolean isRead = assigned.contains(TablePartition.of(Table.STATUS, site));
            SiteTopicProblem problem = siteTopicWatcher.findProblem(site, heads.get(site));
            if (isRead && problem != null) {
                throw new KafkaFailure(
                        KafkaFailure.Kind.UNREACHABLE,
                        "the topics of site " + site + " cannot be used any more: " + problem.reason(),
                        null);
            }
            hasNewSite |= !isRead && problem == null;
        }
        if (hasNewSite) {
            StateRestorer.addPartitions(
                    reader,
                    StateRestorer.partitionsOf(StateRestorer.findReadableSites(siteTopicWatcher, reader, heads)));
        }
    }
}
