package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/**
 * What an orchestrator's shell keeps to. All of it, but in worlds that must fail.
 *
 * @param goesOnFromOffsets a new leader polls its inputs from where the head rows say
 * @param dropsAfterUnclearCommit never goes on from memory
 * @param readsCommittedOnly uncommitted rows are seen by nobody else
 * @param forgets a table that a follower does not read; null where it reads all
 * @param knowsWhatItHasNotRead a new leader goes by the head rows of sites whose rows it could not read
 * @param weighs decides nothing that Kafka would refuse
 * @param parks goes on without an input that it could not decide on twice
 * @param parksDue goes on without due work that it could not decide twice
 * @param comparesIds knows a topic by its id, and not by where it ends alone
 * @param countsLostSites counts what is in flight in a site that has lost records
 */
public record ShellHabits(
        boolean goesOnFromOffsets,
        boolean dropsAfterUnclearCommit,
        boolean readsCommittedOnly,
        @Nullable Table forgets,
        boolean knowsWhatItHasNotRead,
        boolean weighs,
        boolean parks,
        boolean parksDue,
        boolean comparesIds,
        boolean countsLostSites) {
    public static final ShellHabits GOOD = new ShellHabits(true, true, true, null, true);

    /** One that knows when a site has lost records, and what that means. */
    public ShellHabits(
            boolean goesOnFromOffsets,
            boolean dropsAfterUnclearCommit,
            boolean readsCommittedOnly,
            @Nullable Table forgets,
            boolean knowsWhatItHasNotRead,
            boolean weighs,
            boolean parks,
            boolean parksDue) {
        this(
                goesOnFromOffsets,
                dropsAfterUnclearCommit,
                readsCommittedOnly,
                forgets,
                knowsWhatItHasNotRead,
                weighs,
                parks,
                parksDue,
                true,
                true);
    }

    /** A good one, but for how it deals with sites that have lost records. */
    public static ShellHabits ofLostSites(boolean comparesIds, boolean countsLostSites) {
        return new ShellHabits(true, true, true, null, true, true, true, true, comparesIds, countsLostSites);
    }

    /** One that weighs its decisions and parks what it cannot decide. */
    public ShellHabits(
            boolean goesOnFromOffsets,
            boolean dropsAfterUnclearCommit,
            boolean readsCommittedOnly,
            @Nullable Table forgets,
            boolean knowsWhatItHasNotRead) {
        this(
                goesOnFromOffsets,
                dropsAfterUnclearCommit,
                readsCommittedOnly,
                forgets,
                knowsWhatItHasNotRead,
                true,
                true,
                true);
    }
}
