package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.orchestrator.chapter.Chapters;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.runtime.kafka.ComponentAcls;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.LeaderElectionConsumer;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.ConsumedRecord;
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
final class Leader {
    private static final Logger LOG = LoggerFactory.getLogger(Leader.class);

    /** Records and questions end a poll at once; sites that come and go, and another leader, are looked for so often. */
    private static final long TICK = 250;

    private static final long COMMIT_EVERY = OrchestratorLoop.COMMIT_EVERY.toMillis();
    private static final long TELL_EVERY = OrchestratorLoop.TELL_EVERY.toMillis();
    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(100);

    /** With so many inputs undecided none are read: they wait in Kafka, and nothing is dropped. */
    private static final int MOST_PENDING = 4_000;

    private final Surroundings world;
    private final Mailbox mailbox;
    private final Sites sites;
    private final PartitionReader reader;
    private final Follower follower;
    private final LeaderElectionConsumer hint;
    private final Attendance attendance;
    private final BooleanSupplier goesOn;
    private final FailedDecisions failed;
    private final Held held;
    private List<TopicId> fleetTopics = List.of();
    private long looked = Long.MIN_VALUE / 2;

    Leader(
            Surroundings world,
            Mailbox mailbox,
            Sites sites,
            PartitionReader reader,
            Follower follower,
            Held held,
            LeaderElectionConsumer hint,
            Attendance attendance,
            FailedDecisions failed,
            BooleanSupplier goesOn) {
        this.world = world;
        this.mailbox = mailbox;
        this.sites = sites;
        this.reader = reader;
        this.follower = follower;
        this.held = held;
        this.hint = hint;
        this.attendance = attendance;
        this.goesOn = goesOn;
        this.failed = failed;
    }

    /** Returns when the hint is gone or the process is to stop. Anything worse is thrown. */
    void lead() {
        try (TransactionalRowWriter writer =
                        new TransactionalRowWriter(world.clients(), ComponentAcls.ORCHESTRATOR_TRANSACTIONS, world.patience());
                Chapters chapters = new Chapters(
                        world.clients(), world.name(), world.patience(), world.chapters(), mailbox::ring)) {
            writer.init();
            world.witness().reached(Step.FENCED);
            Map<TablePartition, Long> ends = reader.endOffsets(reader.assigned());
            if (!Restore.readTo(ends, reader, follower, held, goesOn)) {
                return;
            }
            Restore.check(follower, sites.unreadable(), ends);
            Restore.checkHead(follower, Restore.journalEnd(reader));
            checkTopics(ends);
            follower.markRead(ends.keySet());
            world.witness().reached(Step.RESTORED);
            Term term = new Term(world, follower, writer, chapters, failed);
            List<TablePartition> inputs = new ArrayList<>(reader.assigned());
            inputs.removeIf(tablePartition -> !OrchestratorPartitions.isInput(tablePartition.table()));
            held.release();
            reader.assign(inputs);
            term.reads(FleetScope.FLEET, fleetTopics);
            ends.keySet().retainAll(inputs);
            TermSites ofTerm = new TermSites(world, sites, reader, follower, term, goesOn);
            ofTerm.begin(ends);
            term.begin();
            world.listener().standing(Standing.LEADER, "");
            loop(term, ofTerm);
        }
    }

    /** The topics as they are now, when nobody else writes any more, against what the head rows say that was read. */
    private void checkTopics(Map<TablePartition, Long> ends) {
        sites.lookNow();
        List<TopicId> recorded = new ArrayList<>(follower.head().topicIds());
        recorded.removeIf(topic -> TopicId.of(follower.adopted(), topic.table()) != null);
        recorded.addAll(follower.adopted());
        FleetTopics.check(recorded, sites.seen().fleet());
        fleetTopics = FleetTopics.recorded(sites.seen().fleet());
        for (TablePartition tablePartition : ends.keySet()) {
            SiteId site = tablePartition.site();
            SiteHead head = site == null ? null : follower.siteHeads().get(site);
            if (site != null && head != null) {
                SiteTrouble trouble = sites.trouble(site, head);
                boolean lost = trouble != null && !trouble.lost().isEmpty();
                if (lost || Restore.hasGoneBack(sites, head, ends)) {
                    throw new KafkaFailure(
                            KafkaFailure.Kind.WENT_BACK, "the topics of site " + site + " are not what was read", null);
                }
            }
        }
    }

    private void loop(Term term, TermSites ofTerm) {
        boolean more = true;
        while (goesOn.getAsBoolean()) {
            if (!hint.poll(Duration.ZERO)) {
                LOG.atInfo().log("the hint went to another: stepping down");
                return;
            }
            look(ofTerm);
            if (term.pending().size() < MOST_PENDING) {
                List<ConsumedRecord> reads = reader.poll(Duration.ofMillis(wait(term, more)));
                attendance.present();
                term.arrived(follower.arrivals(reads));
            }
            world.witness().reached(Step.POLLED);
            ofTerm.polled();
            more = term.work();
            if (term.hasSomething() && (term.isFull() || term.sinceCommit() >= interval(term))) {
                term.commit();
            }
            if (!term.hasDecided() && term.isAheadForGood()) {
                LOG.atWarn()
                        .log("this machine's clock was set back: stepping down, so that the next term reads it anew");
                return;
            }
            if (!term.hasDecided()) {
                mailbox.answer(term.state(), Standing.LEADER, term.now(), world.time());
            }
        }
        if (term.hasSomething()) {
            term.commit();
        }
    }

    /** How long a poll may take: what is decided is to be committed soon, and what falls due is due. */
    private long wait(Term term, boolean more) {
        long wait = more ? 0 : term.idleFor(TICK);
        return term.hasSomething() ? Math.min(wait, Math.max(0, interval(term) - term.sinceCommit())) : wait;
    }

    /** How far two commits lie apart: what somebody waits for goes soon, and what is only told waits for company. */
    private long interval(Term term) {
        return term.isAwaited() || mailbox.hasQuestions() ? COMMIT_EVERY : TELL_EVERY;
    }

    private void look(TermSites ofTerm) {
        long now = world.time().nanos();
        if (now - looked >= LOOK_EVERY) {
            looked = now;
            FleetTopics.check(fleetTopics, sites.seen().fleet());
            ofTerm.look();
        }
    }
}
