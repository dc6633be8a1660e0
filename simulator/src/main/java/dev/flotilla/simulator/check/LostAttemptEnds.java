package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.simulator.log.CommittedTableRows;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Machines whose attempt was ended by a decision whose row was withheld for their site and lost with its leader. The
 * table says that they are in flight, the head row that they are not, until a leader has read the table.
 */
final class LostAttemptEnds {
    private final Set<MachineKey> ended = new LinkedHashSet<>();

    /** Records that a leader has ended with its withheld rows. */
    void leaderLost(Map<RowKey, RowChange> kept, CommittedTableRows committed) {
        for (RowChange rowChange : kept.values()) {
            if (rowChange instanceof MachineStatus decided
                    && decided.attempt() == null
                    && committed.get(decided.rowKey()) instanceof MachineStatus written
                    && written.attempt() != null) {
                ended.add(decided.key());
            }
        }
    }

    /** Records that the deciding leader has read these sites. */
    void sitesRead(Set<SiteId> sites) {
        ended.removeIf(machine -> sites.contains(machine.site()));
    }

    boolean hasLostEnd(MachineKey machine) {
        return ended.contains(machine);
    }
}
