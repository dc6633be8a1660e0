package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SnapReleases;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Machine object and its node. Its fields change only through {@link SimFleet}, which notifies the watchers. */
public final class SimMachine {

    final MachineKey key;
    MachineRole role;
    SimCluster cluster;
    SimMachineOwner owner;
    String uid;
    Labels labels;
    SimNode node;
    boolean deleting;
    boolean paused;
    boolean hold;
    boolean optOut;
    boolean foreign;

    /** What really upgrades it. */
    UpgradeProvider provider = UpgradeProvider.K8SD;

    /** What its site's watcher takes for its provider. */
    UpgradeProvider foundProvider = UpgradeProvider.K8SD;

    /** What its owner does with it; null if nothing. */
    @Nullable
    ForeignActivity ownerActivity;

    /** Whether its node has not joined yet. */
    boolean joining;

    @Nullable
    UpgradeTarget intent;

    SimMachine(MachineKey key, String uid, SimMachineOwner owner, MachineRole role, Labels labels, SimNode node) {
        this.key = key;
        this.uid = uid;
        this.cluster = owner.cluster;
        this.owner = owner;
        this.role = role;
        this.labels = labels;
        this.node = node;
    }

    public MachineKey key() {
        return key;
    }

    public String uid() {
        return uid;
    }

    public MachineRole role() {
        return role;
    }

    public SimCluster cluster() {
        return cluster;
    }

    public SimMachineOwner owner() {
        return owner;
    }

    public SimNode node() {
        return node;
    }

    /** What really upgrades it. */
    public UpgradeProvider provider() {
        return provider;
    }

    public Labels labels() {
        return labels;
    }

    public boolean optOut() {
        return optOut;
    }

    public @Nullable UpgradeTarget intent() {
        return intent;
    }

    /** Why a worker that reads this object must not call now; null if nothing forbids it. */
    public @Nullable String callProblem(String expectedUid) {
        if (!uid.equals(expectedUid)) {
            return "another machine of this name";
        }
        if (deleting) {
            return "being deleted";
        }
        if (paused || owner.paused || cluster.paused) {
            return "paused";
        }
        if (foreign || optOut) {
            return foreign ? "foreign" : "opted out";
        }
        if (hold || owner.hold || cluster.hold) {
            return "on hold";
        }
        return null;
    }

    /** Captures the object. Running the result restores it; the node is not affected. */
    Runnable memento() {
        MachineRole savedRole = role;
        SimCluster savedCluster = cluster;
        SimMachineOwner savedOwner = owner;
        String savedUid = uid;
        Labels savedLabels = labels;
        SimNode savedNode = node;
        boolean savedDeleting = deleting;
        boolean savedPaused = paused;
        boolean savedHold = hold;
        boolean savedOptOut = optOut;
        UpgradeTarget savedIntent = intent;
        return () -> {
            role = savedRole;
            cluster = savedCluster;
            owner = savedOwner;
            uid = savedUid;
            labels = savedLabels;
            node = savedNode;
            deleting = savedDeleting;
            paused = savedPaused;
            hold = savedHold;
            optOut = savedOptOut;
            intent = savedIntent;
        };
    }

    public boolean deleting() {
        return deleting;
    }

    /** Its row, as a watcher would publish it now. */
    public MachineRow row() {
        boolean hasSnap = provider == UpgradeProvider.K8SD;
        List<ForeignActivity> activities = new ArrayList<>();
        if (foreign) {
            activities.add(ForeignActivity.FOREIGN);
        }
        if (ownerActivity != null) {
            activities.add(ownerActivity);
        }
        return new MachineRow(
                key,
                uid,
                cluster.key.name(),
                new MachineRow.MachineOwner(owner.key.kind(), owner.key.name()),
                role,
                labels,
                joining ? null : node.name(),
                node.isAnonymous() ? "kwok://node" : "sim://" + node.name(),
                node.isAnonymous() ? "00000000-0000-0000-0000-000000000000" : "uuid-" + node.name(),
                node.isReady() && !joining,
                deleting,
                paused || owner.paused,
                hold || owner.hold,
                optOut,
                node.isAnonymous() || !hasSnap
                        ? null
                        : "channel=" + SnapReleases.channel((node.revisionInNodeObject() - SnapReleases.OLDEST) / 100),
                SnapReleases.version(node.revisionInNodeObject()),
                hasSnap ? Integer.toString(node.revisionInNodeObject()) : null,
                "amd64",
                activities,
                foundProvider);
    }
}
