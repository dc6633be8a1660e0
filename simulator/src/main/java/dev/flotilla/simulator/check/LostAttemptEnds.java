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
 * Machines whose attempt has ended by a decision whose row was kept back for their site, and lost with its leader: the table
 * says that they are in flight, the head row that they are not. So it stands until a leader has read the table.
 */
final class LostAttemptEnds {
    private final Set<MachineKey> ended = new LinkedHashSet<>();

    /** A leader is gone with the rows that it had kept back. */
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

    /** The leader that decides now has read these sites. */
    void read(Set<SiteId> sites) {
        ended.removeIf(machine -> sites.contains(machine.site()));
    }

    boolean hasLostEnd(MachineKey machine) {
        return ended.contains(machine);
    }
}
