package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.UpgradeOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Cluster object with its machines. */
public final class SimCluster {
    final ClusterKey key;
    final String uid;
    final List<SimMachine> machines = new ArrayList<>();
    Labels labels;
    boolean paused;
    boolean hold;

    @Nullable
    UpgradeOption intent;

    SimCluster(ClusterKey key, String uid, Labels labels) {
        this.key = key;
        this.uid = uid;
        this.labels = labels;
    }

    public ClusterKey key() {
        return key;
    }

    public String uid() {
        return uid;
    }

    public List<SimMachine> machines() {
        return Collections.unmodifiableList(machines);
    }

    public @Nullable UpgradeOption intent() {
        return intent;
    }

    public ClusterRow row() {
        return new ClusterRow(key, uid, labels, paused, hold, null, count(Role.CONTROL_PLANE), count(Role.WORKER));
    }

    private int count(Role role) {
        int count = 0;
        for (SimMachine machine : machines) {
            count += machine.role() == role ? 1 : 0;
        }
        return count;
    }
}
