package dev.flotilla.managementwatcher.view;

/** Keys of annotations and labels that the watcher reads and writes. */
public final class WatcherAnnotationKeys {
    private static final String CAPI = "cluster.x-k8s.io/";
    private static final String CANONICAL = "v1beta2.k8sd.io/";

    /** Field manager under which the API server records what the watcher writes. */
    public static final String FIELD_MANAGER = "flotilla-management-watcher";

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
    public static final String LAST_FAILED_ATTEMPT_AT = CANONICAL + "in-place-upgrade-last-failed-attempt-at";
    static final String REFRESH_CERTIFICATES = CANONICAL + "refresh-certificates";

    /** Flotilla's upgrade annotation, for sites in which the provider's controllers would act on the provider's own. */
    public static final String OUR_UPGRADE_TO = "flotilla.dev/upgrade-to";

    /**
     * The value of an upgrade annotation that was fulfilled and removed. It shows whether that annotation is reapplied.
     */
    public static final String LAST_FULFILLED = "flotilla.dev/last-fulfilled";
    /** On an owner: the default release, to which machines that join it are upgraded. */
    public static final String DEFAULT_RELEASE = "flotilla.dev/default-release";

    public static final String HOLD = "flotilla.dev/hold";
    public static final String OPT_OUT = "flotilla.dev/opt-out";
    public static final String TIME_ZONE = "flotilla.dev/time-zone";
    /** On a Machine: the attempt annotation of a worker, while the attempt runs. */
    public static final String ATTEMPT = "flotilla.dev/attempt";
    /** Beside a change-id: the attempt of Flotilla that it belongs to. A change-id without it is foreign. */
    public static final String OWN_CHANGE = "flotilla.dev/own-change";

    private WatcherAnnotationKeys() {}
}
