package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.simulator.kubernetes.SimApiServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A workload cluster: its own API, the API of its management cluster, and its nodes. */
public final class EmbeddedCluster {
    private final ClusterKey key;
    private final SimApiServer management;
    private final SimApiServer workload;
    private final List<EmbeddedNode> nodes = new ArrayList<>();

    private boolean hasNodeUpgrades;

    EmbeddedCluster(ClusterKey key, SimApiServer management, SimApiServer workload) {
        this.key = key;
        this.management = management;
        this.workload = workload;
    }

    public ClusterKey key() {
        return key;
    }

    /** The API with its Machines. */
    public SimApiServer management() {
        return management;
    }

    /** The API with its Nodes. */
    public SimApiServer workload() {
        return workload;
    }

    public List<EmbeddedNode> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    /**
     * Changes the schema of its k8sd from this revision on: databases stay closed until all members of the control
     * plane run it. Call it on the event loop only.
     */
    public void upgradeSchemaAt(int revision) {
        K8sdSchemaUpgrade.installOn(revision, this);
    }

    /** Whether NodeUpgrades upgrade its machines. */
    public boolean hasNodeUpgrades() {
        return hasNodeUpgrades;
    }

    void setHasNodeUpgrades() {
        hasNodeUpgrades = true;
    }

    void add(EmbeddedNode node) {
        nodes.add(node);
    }
}
