package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.core.term.Places;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.log.Producer;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.log.SiteTopics;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One orchestrator process: a standby until the hint and the fence make it the leader. */
public final class Orchestrator {
    static final String TRANSACTIONAL_ID = "flotilla.orchestrator";

    /** What all orchestrators of a world share. */
    record Surroundings(
            SimLog log,
            Scheduler scheduler,
            Faults faults,
            Story story,
            List<SiteId> sites,
            Supplier<Decider> decider,
            ShellHabits habits,
            LeaderHint hint,
            LeaderPace pace) {}

    private final SimProcess process;
    private final Surroundings world;
    private final List<Consumer<Follower>> listeners = new ArrayList<>();
    private final FailedDecisions failed = new FailedDecisions();
    private @Nullable Follower follower;
    private @Nullable Term term;
    private boolean following;

    Orchestrator(SimProcess process, Surroundings world) {
        this.process = process;
        this.world = world;
        process.behaves(this::start, this::die);
        for (Place place : Places.outputs(world.sites())) {
            world.log().listen(place, this::wakeFollower);
        }
        for (Place place : Places.inputs(world.sites())) {
            world.log().listen(place, this::wakeTerm);
        }
    }

    public SimProcess process() {
        return process;
    }

    public boolean leads() {
        return term != null;
    }

    /** How often it has tripped over one thing in one life. */
    public int mostFailures() {
        return failed.most();
    }

    /** Whether it has read the tables and may be hinted at. */
    boolean caughtUp() {
        return follower != null;
    }

    private void start() {
        process.later(process.chance().between(300, 3000), this::restore);
    }

    private void restore() {
        if (process.cutOff()) {
            process.later(1000, this::restore);
            return;
        }
        if (process.survives("while it restores")) {
            List<SiteId> usable = new ArrayList<>(world.sites());
            usable.removeIf(site -> !world.log().sites().usable(site));
            Follower fresh = new Follower(world.log(), usable, world.habits());
            read(fresh);
            follower = fresh;
        }
    }

    /** A standby reads sites that are back, and reads everything again without a site that is away. */
    private boolean readsItsSites(Follower reading) {
        SiteTopics topics = world.log().sites();
        for (SiteId site : world.sites()) {
            boolean read = reading.sites().contains(site);
            if (read && !topics.usable(site)) {
                world.story().tell(process.name(), () -> "cannot read site " + site + " any more, and reads all again");
                lose();
                process.later(process.chance().between(100, 2000), this::restore);
                return false;
            }
            if (!read && topics.usable(site)) {
                reading.add(site);
            }
        }
        return true;
    }

    private void die() {
        failed.forget();
        lose();
    }

    private void lose() {
        follower = null;
        term = null;
        following = false;
        world.hint().gaveUp(this);
    }

    /** Leads no more. What it had in memory is gone; it reads the tables again as a standby. */
    void stepDown(String why) {
        if (term != null) {
            world.story().tell(process.name(), () -> "steps down: " + why);
            term.end();
            lose();
            process.later(process.chance().between(100, 2000), this::restore);
        }
    }

    private void wakeFollower() {
        if (follower != null && term == null && !following) {
            following = true;
            process.later(process.chance().between(2, 300), this::follow);
        }
    }

    private void follow() {
        following = false;
        if (follower != null && term == null) {
            if (process.cutOff()) {
                following = true;
                process.later(500, this::follow);
            } else if (readsItsSites(follower)) {
                read(follower);
            }
        }
    }

    private void wakeTerm() {
        if (term != null) {
            term.wake();
        }
    }

    /** Who is shown its tables each time that it has read, as a standby, all that is committed. */
    public void listen(Consumer<Follower> listener) {
        listeners.add(listener);
    }

    private void read(Follower reading) {
        reading.follow();
        listeners.forEach(listener -> listener.accept(reading));
    }

    void takeOver() {
        Follower ready = follower;
        if (ready == null || term != null || process.cutOff() || !process.survives("before it fences")) {
            return;
        }
        Producer producer = world.log().init(TRANSACTIONAL_ID);
        world.story().tell(process.name(), () -> "fences all others, epoch " + producer.epoch());
        if (!process.survives("between fencing and reading on")) {
            return;
        }
        process.later(process.chance().between(10, 200), () -> {
            if (follower == ready && term == null && readsItsSites(ready)) {
                read(ready);
                Term next = new Term(this, world, ready, producer, failed);
                term = next;
                next.begin();
            }
        });
    }
}
