package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;

/** The kinds of objects that are watched. */
public enum WatchedKind {
    CLUSTERS("cluster.x-k8s.io", "clusters", true),
    MACHINES("cluster.x-k8s.io", "machines", true),
    MACHINE_SETS("cluster.x-k8s.io", "machinesets", false),
    MACHINE_DEPLOYMENTS("cluster.x-k8s.io", "machinedeployments", false),
    MACHINE_POOLS("cluster.x-k8s.io", "machinepools", false),
    CONTROL_PLANES("controlplane.cluster.x-k8s.io", "ck8scontrolplanes", false),
    UPGRADE_TASKS("flotilla.dev", "upgradetasks", false);

    private final String group;
    private final String plural;
    private final boolean required;

    WatchedKind(String group, String plural, boolean required) {
        this.group = group;
        this.plural = plural;
        this.required = required;
    }

    public String group() {
        return group;
    }

    /** The plural name, as it is in API paths. */
    public String plural() {
        return plural;
    }

    /** Whether every management cluster serves this kind. */
    public boolean isRequired() {
        return required;
    }

    /**
     * Whether a site can be watched without permission for this kind: nothing about machines depends on MachinePools
     * alone, and a role of an earlier version does not have UpgradeTasks.
     */
    public boolean isDispensable() {
        return this == MACHINE_POOLS || this == UPGRADE_TASKS;
    }

    /** Returns the kind of an object. */
    public static WatchedKind kindOf(ObjectKey key) {
        return switch (key) {
            case ClusterKey cluster -> CLUSTERS;
            case MachineKey machine -> MACHINES;
            case OwnerKey owner ->
                switch (owner.kind()) {
                    case MACHINE_SET -> MACHINE_SETS;
                    case MACHINE_DEPLOYMENT -> MACHINE_DEPLOYMENTS;
                    case MACHINE_POOL -> MACHINE_POOLS;
                    case CONTROL_PLANE -> CONTROL_PLANES;
                };
        };
    }

    /** Creates the view of an object of this kind. */
    public WatchedView createView(ObjectViewFactory objectViewFactory, KubeObject object) {
        return switch (this) {
            case CLUSTERS -> objectViewFactory.clusterView(object);
            case MACHINES -> objectViewFactory.machineView(object);
            case MACHINE_SETS -> objectViewFactory.ownerView(OwnerKind.MACHINE_SET, object);
            case MACHINE_DEPLOYMENTS -> objectViewFactory.ownerView(OwnerKind.MACHINE_DEPLOYMENT, object);
            case MACHINE_POOLS -> objectViewFactory.ownerView(OwnerKind.MACHINE_POOL, object);
            case CONTROL_PLANES -> objectViewFactory.ownerView(OwnerKind.CONTROL_PLANE, object);
            case UPGRADE_TASKS -> objectViewFactory.upgradeTaskView(object);
        };
    }
}
