package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One orchestrator process: a standby until the hint and the fence make it the leader. */
public final class SimOrchestrator {
    static final String TRANSACTIONAL_ID = "flotilla.orchestrator";

    /** What all orchestrators of a world share. */
    record SimOrchestratorContext(
            SimKafkaLog log,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript story,
            List<SiteId> sites,
            Supplier<Decider> decider,
            OrchestratorSafeguards habits,
            SimLeaderElection hint,
            LeaderLoopConfig pace) {}

    private final SimProcess process;
    private final SimOrchestratorContext world;
    private final List<Consumer<SimTableFollower>> listeners = new ArrayList<>();
    private final FailedDecisionCounter failed = new FailedDecisionCounter();
    private @Nullable SimTableFollower follower;
    private @Nullable SimLeaderTerm term;
    private boolean following;

    SimOrchestrator(SimProcess process, SimOrchestratorContext world) {
        this.process = process;
        this.world = world;
        process.onStartAndCrash(this::start, this::die);
        for (TablePartition tablePartition : OrchestratorPartitions.outputs(world.sites())) {
            world.log().addListener(tablePartition, this::wakeFollower);
        }
        for (TablePartition tablePartition : OrchestratorPartitions.inputs(world.sites())) {
            world.log().addListener(tablePartition, this::wakeTerm);
        }
    }

    public SimProcess process() {
        return process;
    }

    public boolean isLeader() {
        return term != null;
    }

    /** How often it has tripped over one thing in one life. */
    public int mostFailures() {
        return failed.highestCount();
    }

    /** Whether it has read the tables and may be hinted at. */
    boolean isCaughtUp() {
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
        if (process.continuesAfter("while it restores")) {
            SimTableFollower fresh = new SimTableFollower(world.log(), List.of(), world.habits());
            fresh.readHeads();
            for (SiteId site : world.sites()) {
                if (trouble(fresh, site) == null) {
                    fresh.add(site);
                }
            }
            fresh.follow();
            listeners.forEach(listener -> listener.accept(fresh));
            follower = fresh;
        }
    }

    /** A standby reads sites that are back, and reads everything again without a site that is away. */
    private boolean readsItsSites(SimTableFollower reading) {
        for (SiteId site : world.sites()) {
            boolean read = reading.sites().contains(site);
            boolean can = trouble(reading, site) == null;
            if (read && !can) {
                readAgain("cannot read site " + site + " any more");
                return false;
            }
            if (!read && can) {
                reading.add(site);
            }
        }
        return true;
    }

    /** Whether what was read is what the topics are now that nobody else writes. */
    private boolean holds(SimTableFollower reading) {
        for (SiteId site : reading.sites()) {
            if (trouble(reading, site) != null) {
                readAgain("has read topics of site " + site + " that are others now");
                return false;
            }
        }
        return true;
    }

    private @Nullable SiteTopicProblem trouble(SimTableFollower reading, SiteId site) {
        return SiteTopicProblem.inspectBeforeRead(
                world, site, reading.siteHeads().get(site));
    }

    /** Reads on, unless what it has read before is not there any more: then everything is read again. */
    private boolean readsOn(SimTableFollower reading) {
        if (!reading.isOutdated()) {
            reading.follow();
        }
        if (reading.isOutdated()) {
            readAgain("has read what is not there any more");
            return false;
        }
        listeners.forEach(listener -> listener.accept(reading));
        return true;
    }

    private void readAgain(String why) {
        world.story().append(process.name(), () -> why + ", and reads all again");
        lose();
        process.later(process.chance().between(100, 2000), this::restore);
    }

    private void die() {
        failed.clear();
        lose();
    }

    private void lose() {
        follower = null;
        term = null;
        following = false;
        world.hint().leadershipGivenUp(this);
    }

    /** Leads no more. What it had in memory is gone; it reads the tables again as a standby. */
    void stepDown(String why) {
        if (term != null) {
            world.story().append(process.name(), () -> "steps down: " + why);
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
                readsOn(follower);
            }
        }
    }

    private void wakeTerm() {
        if (term != null) {
            term.onInput();
        }
    }

    /** Who is shown its tables each time that it has read, as a standby, all that is committed. */
    public void onStandbyRead(Consumer<SimTableFollower> listener) {
        listeners.add(listener);
    }

    void takeOver() {
        SimTableFollower ready = follower;
        if (ready == null || term != null || process.cutOff() || !process.continuesAfter("before it fences")) {
            return;
        }
        SimProducer producer = world.log().init(TRANSACTIONAL_ID);
        world.story().append(process.name(), () -> "fences all others, epoch " + producer.epoch());
        if (!process.continuesAfter("between fencing and reading on")) {
            return;
        }
        process.later(process.chance().between(10, 200), () -> {
            if (follower == ready && term == null && readsItsSites(ready) && readsOn(ready) && holds(ready)) {
                SimLeaderTerm next = new SimLeaderTerm(this, world, ready, producer, failed);
                term = next;
                next.begin();
            }
        });
    }
}
