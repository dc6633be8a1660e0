package dev.flotilla.schemas.kube;

/** Keys of labels: those that Cluster API sets and Flotilla reads, and Flotilla's own. */
public final class LabelKeys {
    private static final String CAPI = "cluster.x-k8s.io/";

    public static final String CLUSTER_NAME = CAPI + "cluster-name";
    public static final String DEPLOYMENT_NAME = CAPI + "deployment-name";
    public static final String CONTROL_PLANE = CAPI + "control-plane";
    public static final String CONTROL_PLANE_NAME = CAPI + "control-plane-name";

    /** On a CRD: its objects may take the place of NodeUpgrades, in this version of the contract. */
    public static final String NODE_UPGRADE = "flotilla.dev/node-upgrade";

    /** On a Machine: what upgrades it. */
    public static final String PROVIDER = "flotilla.dev/provider";

    /** On a NodeUpgrade: the machine's name, if it fits a label. */
    public static final String MACHINE = "flotilla.dev/machine";

    /** On a NodeUpgrade: the attempt's id. */
    public static final String ATTEMPT = "flotilla.dev/attempt";

    /** On an UpgradeTask with which Cluster API asks: the uid of its Machine. */
    public static final String MACHINE_UID = "flotilla.dev/machine-uid";

    /** On a Machine with changes that were accepted and not applied: {@code true}. */
    public static final String DIRTY = "flotilla.dev/dirty";

    private LabelKeys() {}
}
