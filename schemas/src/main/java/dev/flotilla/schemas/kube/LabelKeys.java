package dev.flotilla.schemas.kube;

/** Keys of the labels that Cluster API sets and Flotilla reads. */
public final class LabelKeys {
    private static final String CAPI = "cluster.x-k8s.io/";

    public static final String CLUSTER_NAME = CAPI + "cluster-name";
    public static final String DEPLOYMENT_NAME = CAPI + "deployment-name";
    public static final String CONTROL_PLANE = CAPI + "control-plane";

    private LabelKeys() {}
}
