package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.runtime.kafka.ComponentAcls;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.LeaderElectionConsumer;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
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

    private final Surroundings world;
    private final Mailbox mailbox;
    private final FailedDecisions failed = new FailedDecisions();
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Suspects suspects;
    private final UnreadableRows unreadable;

    public OrchestratorLoop(Surroundings world, Mailbox mailbox) {
        this.world = world;
        this.mailbox = mailbox;
        this.suspects = new Suspects(world.time());
        this.unreadable = new UnreadableRows(world.time());
        this.thread = Thread.ofPlatform()
                .name("decisions")
                .uncaughtExceptionHandler((ended, bug) -> world.listener().broke(bug))
                .unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Ends the term in order, if there is one, and hands over. Waits for it. */
    @Override
    public void close() {
        stop.countDown();
        mailbox.ring();
        try {
            thread.join(END_WITHIN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean goesOn() {
        return stop.getCount() > 0;
    }

    private void run() {
        while (goesOn()) {
            try {
                life();
            } catch (KafkaFailure failure) {
                LOG.atWarn()
                        .addKeyValue("reason", failure.kind().label())
                        .log("dropped everything, reading again: {}", failure.getMessage());
                suspect(failure);
                world.listener().dropped(failure.kind());
                world.listener().standing(Standing.RESTORING, String.valueOf(failure.getMessage()));
                pause(PAUSE_AFTER_FAILURE);
            } catch (FailedDecisions.Failed bug) {
                failed.note(bug);
                failed(bug);
            } catch (DecisionFailedException bug) {
                failed.note(bug);
                failed(bug);
            } catch (Refusal refusal) {
                LOG.atError().addKeyValue("reason", "refused").log(refusal.getMessage());
                world.listener().standing(Standing.REFUSING, String.valueOf(refusal.getMessage()));
                pause(PAUSE_AFTER_REFUSAL);
            }
        }
    }

    private void suspect(KafkaFailure failure) {
        Topic topic = failure.topic();
        if (topic != null && topic.site() != null) {
            suspects.add(topic.site(), "a row could not be written: " + failure.getMessage());
        }
    }

    /** A bug in a decision: what is known may be half changed. It is read anew, and decided again, once. */
    private void failed(RuntimeException bug) {
        LOG.atError().setCause(bug).log("dropped everything, reading again: {}", bug.getMessage());
        world.listener().undecidable();
        world.listener().standing(Standing.RESTORING, String.valueOf(bug.getMessage()));
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
        world.listener().standing(Standing.RESTORING, "");
        try (Sites sites = new Sites(world.clients(), suspects, unreadable);
                DecodeAhead ahead = new DecodeAhead();
                PartitionReader reader = new PartitionReader(
                        world.clients(), world.name() + "-tables", POLL_RECORDS, world.patience())) {
            sites.start();
            mailbox.rings(reader::wakeUp);
            Follower follower = new Follower(ahead);
            Held held = new Held(reader);
            if (restore(sites, reader, follower, held)) {
                stand(sites, reader, follower, held);
            }
        }
    }

    private boolean restore(Sites sites, PartitionReader reader, Follower follower, Held held) {
        long started = world.time().nanos();
        List<TablePartition> heads = List.of(TablePartition.of(Table.HEAD));
        Restore.add(reader, heads);
        if (!Restore.readTo(reader.endOffsets(heads), reader, follower, held, this::goesOn)) {
            return false;
        }
        FleetTopics.adopt(
                follower,
                sites.seen().fleet(),
                () -> new PartitionReader(world.clients(), world.name() + "-orders", POLL_RECORDS, world.patience()),
                this::goesOn);
        // What the head rows say tells which tables they are of: others are not read.
        List<TablePartition> places = Restore.placesOf(Restore.readable(sites, reader, follower.siteHeads()));
        Restore.add(reader, places);
        follower.newest().upTo(Restore.journalEnd(reader));
        boolean done = Restore.readTo(reader.endOffsets(places), reader, follower, held, this::goesOn);
        if (done) {
            follower.markRead(places);
            // Asked after what is compared with them was read. Who could not lead is not ready to, and says so.
            Restore.check(follower, unreadable, reader.endOffsets(places));
        }
        world.listener()
                .restored(
                        follower.records(),
                        TimeUnit.NANOSECONDS.toMillis(world.time().nanos() - started));
        return done;
    }

    /** Follows the tables as a standby until it is hinted at, and then leads. */
    private void stand(Sites sites, PartitionReader reader, Follower follower, Held held) {
        world.listener().standing(Standing.STANDBY, "");
        Attendance attendance = new Attendance(world.time());
        try (LeaderElectionConsumer hint = new LeaderElectionConsumer(
                world.clients(), ComponentAcls.LEADER_GROUP, Topic.of(Table.LEADER).name(), world.session())) {
            while (goesOn()) {
                boolean hinted = hint.poll(Duration.ZERO);
                join(sites, reader, follower.siteHeads());
                List<ConsumedRecord> reads = reader.poll(TICK);
                attendance.present();
                follower.follow(follower.arrivals(reads));
                follower.requireReadable(unreadable);
                held.update(follower);
                mailbox.answer(
                        follower.state(), Standing.STANDBY, follower.head().decidedAt(), world.time());
                long behind = Restore.behind(reader, follower);
                if (behind > FAR_BEHIND) {
                    throw new KafkaFailure(
                            KafkaFailure.Kind.UNREACHABLE, "fell behind the tables by " + behind + " records", null);
                }
                if (hinted) {
                    world.witness().reached(Step.HINTED);
                    new Leader(world, mailbox, sites, reader, follower, held, hint, attendance, failed, this::goesOn)
                            .lead();
                    return;
                }
                if (reads.size() < POLL_RECORDS) {
                    pause(PAUSE_OF_STANDBY);
                }
            }
        }
    }

    /** Follows sites whose topics have appeared. One that cannot be read any more cannot be followed to its end either. */
    private static void join(Sites sites, PartitionReader reader, Map<SiteId, SiteHead> heads) {
        Set<TablePartition> assigned = reader.assigned();
        boolean fresh = false;
        for (SiteId site : sites.all(heads.keySet())) {
            boolean read = assigned.contains(TablePartition.of(Table.STATUS, site));
            SiteTrouble trouble = sites.trouble(site, heads.get(site));
            if (read && trouble != null) {
                throw new KafkaFailure(
                        KafkaFailure.Kind.UNREACHABLE,
                        "the topics of site " + site + " cannot be used any more: " + trouble.reason(),
                        null);
            }
            fresh |= !read && trouble == null;
        }
        if (fresh) {
            Restore.add(reader, Restore.placesOf(Restore.readable(sites, reader, heads)));
        }
    }
}
