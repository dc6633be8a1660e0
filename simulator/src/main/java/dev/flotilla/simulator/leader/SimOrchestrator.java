package dev.flotilla.simulator.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.intake.SubjectParkingDecider;
import dev.flotilla.core.leader.FailedDecisionTracker;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One orchestrator process: a standby until the group assigns it the leader partition and it has fenced all others. */
public final class SimOrchestrator {
    static final String TRANSACTIONAL_ID = "flotilla.orchestrator";

    private final SimProcess process;
    private final OrchestratorContext world;
    private final Consumer<SimOrchestrator> leadershipEndListener;
    private final List<Consumer<SimTableFollower>> listeners = new ArrayList<>();
    private FailedDecisionTracker failedDecisions;
    private final Map<Object, Integer> failures = new LinkedHashMap<>();
    private int mostFailures;
    private @Nullable SimTableFollower follower;
    private @Nullable SimLeaderTerm term;
    private boolean following;

    SimOrchestrator(SimProcess process, OrchestratorContext world, Consumer<SimOrchestrator> leadershipEndListener) {
        this.process = process;
        this.world = world;
        this.leadershipEndListener = leadershipEndListener;
        this.failedDecisions = newFailedDecisionTracker();
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

    /** The highest number of failures of one decision in one life. */
    public int mostFailures() {
        return mostFailures;
    }

    private FailedDecisionTracker newFailedDecisionTracker() {
        OrchestratorSafeguards safeguards = world.safeguards();
        return new FailedDecisionTracker(
                safeguards.parksInputs() ? FailedDecisionTracker.PARKED_AFTER : Integer.MAX_VALUE,
                safeguards.parksDueWork() ? FailedDecisionTracker.PARKED_AFTER : Integer.MAX_VALUE);
    }

    /** Whether it has read the tables and may become leader. */
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
            SimTableFollower fresh = new SimTableFollower(world.log(), List.of(), world.safeguards());
            fresh.readHeads();
            for (SiteId site : world.sites()) {
                if (findTopicProblem(fresh, site) == null) {
                    fresh.add(site);
                }
            }
            fresh.follow();
            listeners.forEach(listener -> listener.accept(fresh));
            follower = fresh;
        }
    }

    /**
     * Reads sites that are usable again as a standby, and reads everything again without a site that has become
     * unusable. Returns whether it can continue.
     */
    private boolean updateReadSites(SimTableFollower reading) {
        for (SiteId site : world.sites()) {
            boolean isRead = reading.sites().contains(site);
            boolean isReadable = findTopicProblem(reading, site) == null;
            if (isRead && !isReadable) {
                readAgain("can no longer read site " + site);
                return false;
            }
            if (!isRead && isReadable) {
                reading.add(site);
            }
        }
        return true;
    }

    /** Whether the topics that it has read are still the current ones, now that it has fenced all other writers. */
    private boolean hasCurrentTopics(SimTableFollower reading) {
        for (SiteId site : reading.sites()) {
            if (findTopicProblem(reading, site) != null) {
                readAgain("has read topics of site " + site + " that were replaced");
                return false;
            }
        }
        return true;
    }

    private @Nullable SiteTopicProblem findTopicProblem(SimTableFollower reading, SiteId site) {
        return world.inspectTopics(site, reading.siteHeads().get(site));
    }

    /** Continues reading, unless records that it has read no longer exist: then it reads everything again. */
    private boolean readNewRecords(SimTableFollower reading) {
        if (!reading.isOutdated()) {
            reading.follow();
        }
        if (reading.isOutdated()) {
            readAgain("has read records that no longer exist");
            return false;
        }
        listeners.forEach(listener -> listener.accept(reading));
        return true;
    }

    private void readAgain(String cause) {
        world.transcript().append(process.name(), () -> cause + ", and reads everything again");
        dropMemory();
        process.later(process.chance().between(100, 2000), this::restore);
    }

    private void die() {
        failedDecisions = newFailedDecisionTracker();
        failures.clear();
        dropMemory();
    }

    private void dropMemory() {
        follower = null;
        term = null;
        following = false;
        leadershipEndListener.accept(this);
    }

    /** Counts a decision about an input or a subject that failed because of a bug, and ends its leadership. */
    void decisionFailed(Object about, @Nullable String message) {
        mostFailures = Math.max(mostFailures, failures.merge(about, 1, Integer::sum));
        stepDown(String.valueOf(message));
    }

    /** Counts from zero for subjects that a row parks: an operator may remove that row. */
    void clearParkedFailures(FleetState state) {
        failures.keySet()
                .removeIf(
                        about -> about instanceof EntityKey subject && SubjectParkingDecider.isParked(state, subject));
    }

    /** Ends its leadership. It drops what it has in memory and reads the tables again as a standby. */
    void stepDown(String reason) {
        if (term != null) {
            world.transcript().append(process.name(), () -> "steps down: " + reason);
            term.end();
            dropMemory();
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
            } else if (updateReadSites(follower)) {
                readNewRecords(follower);
            }
        }
    }

    private void wakeTerm() {
        if (term != null) {
            term.onInput();
        }
    }

    /** Adds a listener that receives its tables each time that it has read everything committed as a standby. */
    public void onStandbyRead(Consumer<SimTableFollower> listener) {
        listeners.add(listener);
    }

    void takeOver() {
        SimTableFollower ready = follower;
        if (ready == null || term != null || process.cutOff() || !process.continuesAfter("before it fences")) {
            return;
        }
        SimProducer producer = world.log().init(TRANSACTIONAL_ID);
        world.transcript().append(process.name(), () -> "fences all others, epoch " + producer.epoch());
        if (!process.continuesAfter("between fencing and reading on")) {
            return;
        }
        process.later(process.chance().between(10, 200), () -> {
            if (follower == ready
                    && term == null
                    && updateReadSites(ready)
                    && readNewRecords(ready)
                    && hasCurrentTopics(ready)) {
                SimLeaderTerm next = new SimLeaderTerm(this, world, ready, producer, failedDecisions);
                term = next;
                next.begin();
            }
        });
    }
}
