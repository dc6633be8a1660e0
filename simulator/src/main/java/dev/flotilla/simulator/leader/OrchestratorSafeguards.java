package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/**
 * What an orchestrator's shell keeps to. All of it, but in worlds that must fail.
 *
 * @param resumesFromOffsets a new leader polls its inputs from where the head rows say
 * @param resetsAfterUnknownCommit never goes on from memory
 * @param readsCommittedOnly uncommitted rows are seen by nobody else
 * @param unreadTable a table that a follower does not read; null where it reads all
 * @param countsUnreadSites a new leader goes by the head rows of sites whose rows it could not read
 * @param limitsRecordSize decides nothing that Kafka would refuse
 * @param parksInputs goes on without an input that it could not decide on twice
 * @param parksDueWork goes on without due work that it could not decide twice
 * @param comparesTopicIds knows a topic by its id, and not by where it ends alone
 * @param countsLostSites counts what is in flight in a site that has lost records
 */
public record OrchestratorSafeguards(
        boolean resumesFromOffsets,
        boolean resetsAfterUnknownCommit,
        boolean readsCommittedOnly,
        @Nullable Table unreadTable,
        boolean countsUnreadSites,
        boolean limitsRecordSize,
        boolean parksInputs,
        boolean parksDueWork,
        boolean comparesTopicIds,
        boolean countsLostSites) {
    public static final OrchestratorSafeguards GOOD = new OrchestratorSafeguards(true, true, true, null, true);

    /** One that knows when a site has lost records, and what that means. */
    public OrchestratorSafeguards(
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
    public static OrchestratorSafeguards ofLostSites(boolean comparesIds, boolean countsLostSites) {
        return new OrchestratorSafeguards(true, true, true, null, true, true, true, true, comparesIds, countsLostSites);
    }

    /** One that weighs its decisions and parks what it cannot decide. */
    public OrchestratorSafeguards(
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
