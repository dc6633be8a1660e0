package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.orchestrator.chapter.JournalChapterScheduler;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.runtime.kafka.ComponentAcls;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.LeaderElectionConsumer;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
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

/** A leader from the fence to the end of its term. */
final class LeaderTermRunner {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderTermRunner.class);

    /** Records and questions end a poll at once; sites that come and go, and another leader, are looked for so often. */
    private static final long TICK = 250;

    private static final long COMMIT_EVERY = OrchestratorLoop.COMMIT_EVERY.toMillis();
    private static final long TELL_EVERY = OrchestratorLoop.TELL_EVERY.toMillis();
    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(100);

    /** With so many inputs undecided none are read: they wait in Kafka, and nothing is dropped. */
    private static final int MOST_PENDING = 4_000;

    private final OrchestratorLoopConfig world;
    private final StateQueryQueue stateQueryQueue;
    private final SiteTopicWatcher siteTopicWatcher;
    private final PartitionReader reader;
    private final TableFollower tableFollower;
    private final LeaderElectionConsumer hint;
    private final ProcessPauseDetector processPauseDetector;
    private final BooleanSupplier goesOn;
    private final FailedDecisionTracker failed;
    private final PausedPartitions pausedPartitions;
    private List<TopicId> fleetTopics = List.of();
    private long looked = Long.MIN_VALUE / 2;

    LeaderTermRunner(
            OrchestratorLoopConfig world,
            StateQueryQueue stateQueryQueue,
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            PausedPartitions pausedPartitions,
            LeaderElectionConsumer hint,
            ProcessPauseDetector processPauseDetector,
            FailedDecisionTracker failed,
            BooleanSupplier goesOn) {
        this.world = world;
        this.stateQueryQueue = stateQueryQueue;
        this.siteTopicWatcher = siteTopicWatcher;
        this.reader = reader;
        this.tableFollower = tableFollower;
        this.pausedPartitions = pausedPartitions;
        this.hint = hint;
        this.processPauseDetector = processPauseDetector;
        this.goesOn = goesOn;
        this.failed = failed;
    }

    /** Returns when the hint is gone or the process is to stop. Anything worse is thrown. */
    void runTerm() {
        try (TransactionalRowWriter writer = new TransactionalRowWriter(
                        world.clients(), ComponentAcls.ORCHESTRATOR_TRANSACTIONS, world.requestTimeout());
                JournalChapterScheduler journalChapterScheduler = new JournalChapterScheduler(
                        world.clients(),
                        world.name(),
                        world.requestTimeout(),
                        world.chapterPolicy(),
                        stateQueryQueue::wakeUp)) {
            writer.init();
            world.crashPoints().onCrashPoint(LoopCrashPoint.FENCED);
            Map<TablePartition, Long> ends = reader.endOffsets(reader.assigned());
            if (!StateRestorer.readTo(ends, reader, tableFollower, pausedPartitions, goesOn)) {
                return;
            }
            StateRestorer.validateState(tableFollower, siteTopicWatcher.unreadable(), ends);
            StateRestorer.validateHead(tableFollower, StateRestorer.journalEnd(reader));
            checkTopics(ends);
            tableFollower.markRead(ends.keySet());
            world.crashPoints().onCrashPoint(LoopCrashPoint.RESTORED);
            LeaderTerm term = new LeaderTerm(world, tableFollower, writer, journalChapterScheduler, failed);
            List<TablePartition> inputs = new ArrayList<>(reader.assigned());
            inputs.removeIf(tablePartition -> !OrchestratorPartitions.isInput(tablePartition.table()));
            pausedPartitions.resumeAll();
            reader.assign(inputs);
            term.setTopicIds(FleetScope.FLEET, fleetTopics);
            ends.keySet().retainAll(inputs);
            LeaderTermSites ofTerm = new LeaderTermSites(world, siteTopicWatcher, reader, tableFollower, term, goesOn);
            ofTerm.begin(ends);
            term.beginTerm();
            world.listener().roleChanged(ReplicaRole.LEADER, "");
            loop(term, ofTerm);
        }
    }

    /** The topics as they are now, when nobody else writes any more, against what the head rows say that was read. */
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
                SiteTopicProblem trouble = siteTopicWatcher.findProblem(site, head);
                boolean lost = trouble != null && !trouble.lostTables().isEmpty();
                if (lost || StateRestorer.hasLostRecords(siteTopicWatcher, head, ends)) {
                    throw new KafkaFailure(
                            KafkaFailure.Kind.WENT_BACK, "the topics of site " + site + " are not what was read", null);
                }
            }
        }
    }

    private void loop(LeaderTerm term, LeaderTermSites ofTerm) {
        boolean more = true;
        while (goesOn.getAsBoolean()) {
            if (!hint.poll(Duration.ZERO)) {
                LOG.atInfo().log("the hint went to another: stepping down");
                return;
            }
            look(ofTerm);
            if (term.pending().size() < MOST_PENDING) {
                List<ConsumedRecord> reads = reader.poll(Duration.ofMillis(wait(term, more)));
                processPauseDetector.checkForPause();
                term.enqueueRecords(tableFollower.decodeRecords(reads));
            }
            world.crashPoints().onCrashPoint(LoopCrashPoint.POLLED);
            ofTerm.onPolled();
            more = term.decideNext();
            if (term.hasUncommitted() && (term.isFull() || term.sinceCommit() >= interval(term))) {
                term.commit();
            }
            if (!term.hasUncommittedDecisions() && term.isClockAhead()) {
                LOG.atWarn()
                        .log("this machine's clock was set back: stepping down, so that the next term reads it anew");
                return;
            }
            if (!term.hasUncommittedDecisions()) {
                stateQueryQueue.answerQueries(term.state(), ReplicaRole.LEADER, term.now(), world.clock());
            }
        }
        if (term.hasUncommitted()) {
            term.commit();
        }
    }

    /** How long a poll may take: what is decided is to be committed soon, and what falls due is due. */
    private long wait(LeaderTerm term, boolean more) {
        long wait = more ? 0 : term.idleFor(TICK);
        return term.hasUncommitted() ? Math.min(wait, Math.max(0, interval(term) - term.sinceCommit())) : wait;
    }

    /** How far two commits lie apart: what somebody waits for goes soon, and what is only told waits for company. */
    private long interval(LeaderTerm term) {
        return term.isUrgent() || stateQueryQueue.hasQueries() ? COMMIT_EVERY : TELL_EVERY;
    }

    private void look(LeaderTermSites ofTerm) {
        long now = world.clock().monotonicNanos();
        if (now - looked >= LOOK_EVERY) {
            looked = now;
            FleetTopicResetDetector.validateTopics(
                    fleetTopics, siteTopicWatcher.lastStatuses().fleet());
            ofTerm.refreshSites();
        }
    }
}
