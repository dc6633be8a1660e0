package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.runtime.kafka.ComponentAcls;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.LeaderElectionConsumer;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
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
    /** Under load a leader commits at most so often: what goes together costs Kafka less, see ADR 28. */
    public static final Duration COMMIT_EVERY = Duration.ofMillis(60);

    /** What begins nothing and stops nothing waits so long for more of its kind, see ADR 21. */
    static final Duration TELL_EVERY = Duration.ofMillis(150);

    private static final Logger LOG = LoggerFactory.getLogger(OrchestratorLoop.class);
    private static final Duration TICK = Duration.ofMillis(50);
    private static final int POLL_RECORDS = 2_000;

    /** A standby that so many records of what was decided are new to does not lead. */
    private static final long FAR_BEHIND = 50_000;

    private static final long END_WITHIN = 15_000;
    /** Who only follows need not ask for each commit by itself: what a few of them wrote costs hardly more than one. */
    private static final long PAUSE_OF_STANDBY = 100;

    private static final long PAUSE_AFTER_FAILURE = 200;
    private static final long PAUSE_AFTER_REFUSAL = 5_000;

    private final OrchestratorLoopConfig world;
    private final StateQueryQueue stateQueryQueue;
    private final FailedDecisionTracker failed = new FailedDecisionTracker();
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final SiteRetryBackoff siteRetryBackoff;
    private final UnreadableOwnRows unreadable;

    public OrchestratorLoop(OrchestratorLoopConfig world, StateQueryQueue stateQueryQueue) {
        this.world = world;
        this.stateQueryQueue = stateQueryQueue;
        this.siteRetryBackoff = new SiteRetryBackoff(world.clock());
        this.unreadable = new UnreadableOwnRows(world.clock());
        this.thread = Thread.ofPlatform()
                .name("decisions")
                .uncaughtExceptionHandler((ended, bug) -> world.listener().loopFailed(bug))
                .unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Ends the term in order, if there is one, and hands over. Waits for it. */
    @Override
    public void close() {
        stop.countDown();
        stateQueryQueue.wakeUp();
        try {
            thread.join(END_WITHIN);
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
                life();
            } catch (KafkaFailure failure) {
                LOG.atWarn()
                        .addKeyValue("reason", failure.kind().label())
                        .log("dropped everything, reading again: {}", failure.getMessage());
                suspect(failure);
                world.listener().stateReset(failure.kind());
                world.listener().roleChanged(ReplicaRole.RESTORING, String.valueOf(failure.getMessage()));
                pause(PAUSE_AFTER_FAILURE);
            } catch (FailedDecisionTracker.InputDecisionException bug) {
                failed.countFailure(bug);
                failed(bug);
            } catch (DecisionFailedException bug) {
                failed.countFailure(bug);
                failed(bug);
            } catch (LeadershipRefusedException leadershipRefusedException) {
                LOG.atError().addKeyValue("reason", "refused").log(leadershipRefusedException.getMessage());
                world.listener()
                        .roleChanged(ReplicaRole.REFUSING, String.valueOf(leadershipRefusedException.getMessage()));
                pause(PAUSE_AFTER_REFUSAL);
            }
        }
    }

    private void suspect(KafkaFailure failure) {
        Topic topic = failure.topic();
        if (topic != null && topic.site() != null) {
            siteRetryBackoff.recordRefusal(topic.site(), "a row could not be written: " + failure.getMessage());
        }
    }

    /** A bug in a decision: what is known may be half changed. It is read anew, and decided again, once. */
    private void failed(RuntimeException bug) {
        LOG.atError().setCause(bug).log("dropped everything, reading again: {}", bug.getMessage());
        world.listener().decisionFailed();
        world.listener().roleChanged(ReplicaRole.RESTORING, String.valueOf(bug.getMessage()));
        pause(PAUSE_AFTER_FAILURE);
    }

    private void pause(long millis) {
        try {
            if (stop.await(millis, TimeUnit.MILLISECONDS)) {
                LOG.debug("stopping");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** From reading the tables to the end of a term, or of the process. */
    private void life() {
        world.listener().roleChanged(ReplicaRole.RESTORING, "");
        try (SiteTopicWatcher siteTopicWatcher = new SiteTopicWatcher(world.clients(), siteRetryBackoff, unreadable);
                DecodeAheadThread ahead = new DecodeAheadThread();
                PartitionReader reader = new PartitionReader(
                        world.clients(), world.name() + "-tables", POLL_RECORDS, world.requestTimeout())) {
            siteTopicWatcher.start();
            stateQueryQueue.setWakeUp(reader::wakeUp);
            TableFollower tableFollower = new TableFollower(ahead);
            PausedPartitions pausedPartitions = new PausedPartitions(reader);
            if (restore(siteTopicWatcher, reader, tableFollower, pausedPartitions)) {
                stand(siteTopicWatcher, reader, tableFollower, pausedPartitions);
            }
        }
    }

    private boolean restore(
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions) {
        long started = world.clock().monotonicNanos();
        List<TablePartition> heads = List.of(TablePartition.of(Table.HEAD));
        StateRestorer.addPartitions(reader, heads);
        if (!StateRestorer.readTo(reader.endOffsets(heads), reader, tableFollower, pausedPartitions, this::isRunning)) {
            return false;
        }
        FleetTopicResetDetector.adoptTopics(
                tableFollower,
                siteTopicWatcher.lastStatuses().fleet(),
                () -> new PartitionReader(
                        world.clients(), world.name() + "-orders", POLL_RECORDS, world.requestTimeout()),
                this::isRunning);
        // What the head rows say tells which tables they are of: others are not read.
        List<TablePartition> places = StateRestorer.partitionsOf(
                StateRestorer.findReadableSites(siteTopicWatcher, reader, tableFollower.siteHeads()));
        StateRestorer.addPartitions(reader, places);
        tableFollower.newestDecision().limitTo(StateRestorer.journalEnd(reader));
        boolean done = StateRestorer.readTo(
                reader.endOffsets(places), reader, tableFollower, pausedPartitions, this::isRunning);
        if (done) {
            tableFollower.markRead(places);
            // Asked after what is compared with them was read. Who could not lead is not ready to, and says so.
            StateRestorer.validateState(tableFollower, unreadable, reader.endOffsets(places));
        }
        world.listener()
                .stateRestored(
                        tableFollower.countRecords(),
                        TimeUnit.NANOSECONDS.toMillis(world.clock().monotonicNanos() - started));
        return done;
    }

    /** Follows the tables as a standby until it is hinted at, and then leads. */
    private void stand(
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions) {
        world.listener().roleChanged(ReplicaRole.STANDBY, "");
        ProcessPauseDetector processPauseDetector = new ProcessPauseDetector(world.clock());
        try (LeaderElectionConsumer hint = new LeaderElectionConsumer(
                world.clients(),
                ComponentAcls.LEADER_GROUP,
                Topic.of(Table.LEADER).name(),
                world.sessionTimeout())) {
            while (isRunning()) {
                boolean hinted = hint.poll(Duration.ZERO);
                join(siteTopicWatcher, reader, tableFollower.siteHeads());
                List<ConsumedRecord> reads = reader.poll(TICK);
                processPauseDetector.checkForPause();
                tableFollower.applyRecords(tableFollower.decodeRecords(reads));
                tableFollower.requireReadable(unreadable);
                pausedPartitions.pauseFullPartitions(tableFollower);
                stateQueryQueue.answerQueries(
                        tableFollower.state(),
                        ReplicaRole.STANDBY,
                        tableFollower.head().decidedAt(),
                        world.clock());
                long behind = StateRestorer.countUnread(reader, tableFollower);
                if (behind > FAR_BEHIND) {
                    throw new KafkaFailure(
                            KafkaFailure.Kind.UNREACHABLE, "fell behind the tables by " + behind + " records", null);
                }
                if (hinted) {
                    world.crashPoints().onCrashPoint(LoopCrashPoint.HINTED);
                    new LeaderTermRunner(
                                    world,
                                    stateQueryQueue,
                                    siteTopicWatcher,
                                    reader,
                                    tableFollower,
                                    pausedPartitions,
                                    hint,
                                    processPauseDetector,
                                    failed,
                                    this::isRunning)
                            .runTerm();
                    return;
                }
                if (reads.size() < POLL_RECORDS) {
                    pause(PAUSE_OF_STANDBY);
                }
            }
        }
    }

    /** Follows sites whose topics have appeared. One that cannot be read any more cannot be followed to its end either. */
    private static void join(SiteTopicWatcher siteTopicWatcher, PartitionReader reader, Map<SiteId, SiteHead> heads) {
        Set<TablePartition> assigned = reader.assigned();
        boolean fresh = false;
        for (SiteId site : siteTopicWatcher.allSites(heads.keySet())) {
            boolean read = assigned.contains(TablePartition.of(Table.STATUS, site));
            SiteTopicProblem trouble = siteTopicWatcher.findProblem(site, heads.get(site));
            if (read && trouble != null) {
                throw new KafkaFailure(
                        KafkaFailure.Kind.UNREACHABLE,
                        "the topics of site " + site + " cannot be used any more: " + trouble.reason(),
                        null);
            }
            fresh |= !read && trouble == null;
        }
        if (fresh) {
            StateRestorer.addPartitions(
                    reader,
                    StateRestorer.partitionsOf(StateRestorer.findReadableSites(siteTopicWatcher, reader, heads)));
        }
    }
}
