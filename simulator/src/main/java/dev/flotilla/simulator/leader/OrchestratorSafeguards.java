package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.id.Table;
import org.jspecify.annotations.Nullable;

/**
 * Which safeguards an orchestrator has: all of them, except in worlds that must violate an invariant.
 *
 * @param resumesFromOffsets a new leader polls its inputs from the offsets in the head rows
 * @param resetsAfterUnknownCommit never continues from memory after a commit of unknown outcome
 * @param readsCommittedOnly reads no uncommitted rows
 * @param unreadTable a table that a follower does not read; null if it reads all
 * @param countsUnreadSites a new leader uses the head rows of sites whose rows it could not read
 * @param limitsRecordSize makes no decision whose record Kafka would reject
 * @param parksInputs continues without an input that it failed to decide twice
 * @param parksDueWork continues without due work that it failed to decide twice
 * @param comparesTopicIds recognizes a topic by its id, and not only by where it ends
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

    /** An orchestrator that detects when a site has lost records, and counts what is in flight there. */
    public OrchestratorSafeguards(
            boolean resumesFromOffsets,
            boolean resetsAfterUnknownCommit,
            boolean readsCommittedOnly,
            @Nullable Table unreadTable,
            boolean countsUnreadSites,
            boolean limitsRecordSize,
            boolean parksInputs,
            boolean parksDueWork) {
        this(
                resumesFromOffsets,
                resetsAfterUnknownCommit,
                readsCommittedOnly,
                unreadTable,
                countsUnreadSites,
                limitsRecordSize,
                parksInputs,
                parksDueWork,
                true,
                true);
    }

    /** An orchestrator with all safeguards, except those for sites that have lost records. */
    public static OrchestratorSafeguards ofLostSites(boolean comparesTopicIds, boolean countsLostSites) {
        return new OrchestratorSafeguards(
                true, true, true, null, true, true, true, true, comparesTopicIds, countsLostSites);
    }

    /** An orchestrator that limits the size of its records and parks what it cannot decide. */
    public OrchestratorSafeguards(
            boolean resumesFromOffsets,
            boolean resetsAfterUnknownCommit,
            boolean readsCommittedOnly,
            @Nullable Table unreadTable,
            boolean countsUnreadSites) {
        this(
                resumesFromOffsets,
                resetsAfterUnknownCommit,
                readsCommittedOnly,
                unreadTable,
                countsUnreadSites,
                true,
                true,
                true);
    }
}
