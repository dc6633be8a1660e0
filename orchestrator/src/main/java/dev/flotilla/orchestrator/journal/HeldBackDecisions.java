package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Decider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Due decisions of this version that the journal does not have at that place. Their subjects are parked in the replayed
 * state, as the leader parks subjects whose due work fails, until the journal decides about them: so that they are
 * reported once and do not hide the decisions after them.
 */
final class HeldBackDecisions {
    private final Decider decider;
    private final Map<String, TableRow> parkingRows = new HashMap<>();
    private final Set<String> reported = new HashSet<>();
    private @Nullable FleetState parkedIn;

    HeldBackDecisions(Decider decider) {
        this.decider = decider;
    }

    /** Makes a state ready for the decision about a subject. Each complete checkpoint begins another state. */
    void prepareDecision(FleetState state, String subject) {
        if (state != parkedIn) {
            parkingRows.values().forEach(state::put);
            parkedIn = state;
        }
        TableRow row = parkingRows.remove(subject);
        if (row != null) {
            state.put(new Tombstone(row.rowKey()));
        }
    }

    /** Holds a decision back; returns false if its subject cannot be parked. */
    boolean holdBack(FleetState state, Decision decision, Instant at) {
        EntityKey subject = decision.subject();
        if (!(subject instanceof ObjectKey
                || subject instanceof SiteId
                || subject instanceof CampaignName
                || subject instanceof WaveKey)) {
            return false;
        }
        Decision parking = decider.decide(state, new DecisionInput.SubjectParked(subject, "held back in a replay", at));
        for (RowChange rowChange : parking.changes()) {
            if (rowChange instanceof RejectedRecord row) {
                state.put(row);
                parkingRows.put(subject.toString(), row);
                return true;
            }
        }
        return false;
    }

    /** Releases the machines of the cluster of a machine; returns whether there were any. */
    boolean releaseNeighbours(FleetState state, String subject) {
        ClusterState cluster = clusterOf(state, subject);
        if (cluster == null) {
            return false;
        }
        List<String> neighbours = parkingRows.keySet().stream()
                .filter(parked -> clusterOf(state, parked) == cluster)
                .toList();
        neighbours.forEach(neighbour -> prepareDecision(state, neighbour));
        return !neighbours.isEmpty();
    }

    private static @Nullable ClusterState clusterOf(FleetState state, String subject) {
        MachineKey key = RecordKeyFormat.machine(subject);
        MachineView machine = key == null ? null : state.machine(key);
        return machine == null ? null : machine.cluster();
    }

    /** Whether a decision is reported, and the journal has not made it since. */
    boolean isReported(Decision decision) {
        return reported.contains(keyOf(decision));
    }

    /** Notes that a decision is reported; returns whether that is new since the journal last made it. */
    boolean noteReported(Decision decision) {
        return reported.add(keyOf(decision));
    }

    /** Notes that the journal has a decision, made by this version too. */
    void noteDecided(Decision decision) {
        reported.remove(keyOf(decision));
    }

    private static String keyOf(Decision decision) {
        return decision.event().label() + " " + decision.subject();
    }
}
