package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.Places;
import dev.flotilla.orchestrator.chapter.Chapters;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.runtime.kafka.Acls;
import dev.flotilla.runtime.kafka.LeaderHint;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.runtime.kafka.TransactionalWriter;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private static final int JOIN_RECORDS = 2_000;

    /** With so many inputs undecided none are read: they wait in Kafka, and nothing is dropped. */
    private static final int MOST_PENDING = 4_000;

    private final Surroundings world;
    private final Mailbox mailbox;
    private final Sites sites;
    private final PartitionReader reader;
    private final Follower follower;
    private final LeaderHint hint;
    private final Attendance attendance;
    private final BooleanSupplier goesOn;
    private final Held held;
    private final Set<SiteId> read = new LinkedHashSet<>();
    private final Set<SiteId> aside = new LinkedHashSet<>();

    Leader(
            Surroundings world,
            Mailbox mailbox,
            Sites sites,
            PartitionReader reader,
            Follower follower,
            Held held,
            LeaderHint hint,
            Attendance attendance,
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
    }

    /** Returns when the hint is gone or the process is to stop. Anything worse is thrown. */
    void lead() {
        try (TransactionalWriter writer =
                        new TransactionalWriter(world.clients(), Acls.ORCHESTRATOR_TRANSACTIONS, world.patience());
                Chapters chapters = new Chapters(
                        world.clients(), world.name(), world.patience(), world.chapters(), mailbox::ring)) {
            writer.init();
            world.witness().reached(Step.FENCED);
            Map<Place, Long> ends = reader.ends(reader.assigned());
            if (!Restore.readTo(ends, reader, follower, held, goesOn)) {
                return;
            }
            Restore.check(follower, ends);
            Restore.checkHead(follower, Restore.journalEnd(reader));
            follower.markRead(ends.keySet());
            world.witness().reached(Step.RESTORED);
            Term term = new Term(world, follower, writer, chapters);
            List<Place> inputs = new ArrayList<>(reader.assigned());
            inputs.removeIf(place -> !Places.isInput(place.table()));
            held.release();
            reader.assign(inputs);
            for (Place place : inputs) {
                term.readsFrom(place, follower.decidedUpTo(place));
                SiteId site = place.site();
                if (site != null && read.add(site)) {
                    term.listenTo(site, follower);
                }
            }
            follower.siteHeads().values().stream()
                    .filter(head -> head.unreachableSince() != null)
                    .forEach(head -> aside.add(head.site()));
            ends.keySet().retainAll(inputs);
            for (SiteId site : follower.siteHeads().keySet()) {
                if (!read.contains(site)) {
                    aside.add(site);
                    term.setAside(site);
                }
            }
            term.begin();
            world.listener().standing(Standing.LEADER, "");
            loop(term, ends);
        }
    }

    private void loop(Term term, Map<Place, Long> waited) {
        boolean more = true;
        if (waited.isEmpty()) {
            term.handedInAll();
        }
        while (goesOn.getAsBoolean()) {
            if (!hint.poll(Duration.ZERO)) {
                LOG.atInfo().log("the hint went to another: stepping down");
                return;
            }
            sites(term);
            if (term.pending().size() < MOST_PENDING) {
                List<Read> reads = reader.poll(Duration.ofMillis(wait(term, more)));
                attendance.present();
                term.arrived(follower.arrivals(reads));
            }
            world.witness().reached(Step.POLLED);
            if (waited.entrySet().removeIf(end -> reader.position(end.getKey()) >= end.getValue())
                    && waited.isEmpty()) {
                term.handedInAll();
            }
            more = term.work();
            if (term.hasSomething() && (term.isFull() || term.sinceCommit() >= interval(term))) {
                term.commit();
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

    /** Sites whose topics appeared, cannot be used any more, or can again. */
    private void sites(Term term) {
        sites.known().forEach((site, usable) -> {
            if (usable && !read.contains(site)) {
                join(term, site);
            }
            if (usable == aside.contains(site)) {
                world.listener().site(site, usable);
                if (usable) {
                    aside.remove(site);
                    term.takeBack(site);
                } else {
                    aside.add(site);
                    term.setAside(site);
                }
            }
        });
    }

    /** Reads all rows of a site that was not there before, and goes on with its inputs. */
    private void join(Term term, SiteId site) {
        try (PartitionReader once =
                new PartitionReader(world.clients(), world.name() + "-" + site, JOIN_RECORDS, world.patience())) {
            List<Place> places = new ArrayList<>(Places.outputsOf(site));
            places.addAll(Places.inputsOf(site));
            Restore.add(once, places);
            Map<Place, Long> ends = once.ends(places);
            Follower rows = follower.intoStateOf(term);
            if (!Restore.readTo(ends, once, rows, new Held(once), goesOn)) {
                return;
            }
            Restore.check(rows, ends);
            rows.markRead(ends.keySet());
            List<Place> inputs = Places.inputsOf(site);
            Restore.add(reader, inputs);
            for (Place place : inputs) {
                reader.seek(place, once.position(place));
                term.readsFrom(place, rows.decidedUpTo(place));
            }
            term.listenTo(site, rows);
            term.joined(rows.takeWaiting());
            read.add(site);
        }
        world.listener().site(site, true);
    }
}
