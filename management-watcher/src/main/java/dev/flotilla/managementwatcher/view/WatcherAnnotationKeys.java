package dev.flotilla.managementwatcher.view;

/** The keys by which people and controllers say something about an object. */
public final class WatcherAnnotationKeys {
    private static final String CAPI = "cluster.x-k8s.io/";
    private static final String CANONICAL = "v1beta2.k8sd.io/";

    /** The name under which the API server remembers what we write. */
    public static final String MANAGER = "flotilla-management-watcher";

    public static final String PAUSED = CAPI + "paused";
    public static final String CLUSTER_NAME = CAPI + "cluster-name";
    public static final String DEPLOYMENT_NAME = CAPI + "deployment-name";
    public static final String CONTROL_PLANE = CAPI + "control-plane";
    public static final String SKIP_REMEDIATION = CAPI + "skip-remediation";
    static final String DELETE_MACHINE = CAPI + "delete-machine";
    static final String REMEDIATE_MACHINE = CAPI + "remediate-machine";
    static final String UPDATE_IN_PROGRESS = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";
    public static final String SCALE_DOWN_DISABLED = "cluster-autoscaler.kubernetes.io/scale-down-disabled";

    public static final String UPGRADE_TO = CANONICAL + "in-place-upgrade-to";
    public static final String STATUS = CANONICAL + "in-place-upgrade-status";
    public static final String RELEASE = CANONICAL + "in-place-upgrade-release";
    public static final String CHANGE_ID = CANONICAL + "in-place-upgrade-change-id";
    public static final String LAST_FAILED = CANONICAL + "in-place-upgrade-last-failed-attempt-at";
    static final String REFRESH_CERTIFICATES = CANONICAL + "refresh-certificates";

    /** How people ask us where the provider's controllers would act on its own key. */
    public static final String OUR_UPGRADE_TO = "flotilla.dev/upgrade-to";

    /** The value of a wish that was fulfilled and taken away. Whether it was put back can be told by it. */
    public static final String FULFILLED = "flotilla.dev/fulfilled";
    /** On an owner: what machines that join it are upgraded to. */
    public static final String STANDING_RELEASE = "flotilla.dev/standing-release";

    public static final String HOLD = "flotilla.dev/hold";
    public static final String OPT_OUT = "flotilla.dev/opt-out";
    public static final String TIME_ZONE = "flotilla.dev/time-zone";
    /** What a worker's attempt leaves on a Machine while it is at it. */
    public static final String ATTEMPT = "flotilla.dev/attempt";
    /** Beside a change-id: which change of which attempt of ours it is. Without it a change-id is somebody else's. */
    public static final String REPORTED = "flotilla.dev/reported";

    private WatcherAnnotationKeys() {}
}
