package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.simulator.kubernetes.SimApiServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A workload cluster: its own API, that of its management cluster, and its nodes. */
public final class EmbeddedCluster {
    private final ClusterKey key;
    private final SimApiServer management;
    private final SimApiServer workload;
    private final List<EmbeddedNode> nodes = new ArrayList<>();

    EmbeddedCluster(ClusterKey key, SimApiServer management, SimApiServer workload) {
        this.key = key;
        this.management = management;
        this.workload = workload;
    }

    public ClusterKey key() {
        return key;
    }

    /** Where its Machines are. */
    public SimApiServer management() {
        return management;
    }

    /** Where its Nodes are. */
    public SimApiServer workload() {
        return workload;
    }

    public List<EmbeddedNode> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    /**
     * From this revision on its k8sd have another schema: databases stay closed until all members of the control plane run
     * it. For use on the event loop alone.
     */
    public void upgradeSchemaAt(int revision) {
        K8sdSchemaUpgrade.installOn(revision, this);
    }

    void add(EmbeddedNode node) {
        nodes.add(node);
    }
}
