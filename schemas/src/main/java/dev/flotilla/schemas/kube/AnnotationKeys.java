package dev.flotilla.schemas.kube;

import java.util.List;

/** Keys of the annotations that Flotilla reads or writes. */
public final class AnnotationKeys {
    private static final String CAPI = "cluster.x-k8s.io/";
    private static final String CANONICAL = "v1beta2.k8sd.io/";

    public static final String PAUSED = CAPI + "paused";
    public static final String SKIP_REMEDIATION = CAPI + "skip-remediation";
    public static final String DELETE_MACHINE = CAPI + "delete-machine";
    public static final String REMEDIATE_MACHINE = CAPI + "remediate-machine";
    public static final String UPDATE_IN_PROGRESS = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";
    public static final String SCALE_DOWN_DISABLED = "cluster-autoscaler.kubernetes.io/scale-down-disabled";

    /** Holds a Machine that is deleted before its infrastructure is, while a NodeUpgrade may run on its node. */
    public static final String TERMINATION_HOOK = "pre-terminate.delete.hook.machine." + CAPI + "flotilla";

    /** The guard annotations. An attempt removes no others, whatever its attempt annotation names. */
    public static final List<String> GUARDS = List.of(SKIP_REMEDIATION, SCALE_DOWN_DISABLED, TERMINATION_HOOK);

    public static final String UPGRADE_TO = CANONICAL + "in-place-upgrade-to";
    public static final String STATUS = CANONICAL + "in-place-upgrade-status";
    public static final String RELEASE = CANONICAL + "in-place-upgrade-release";
    public static final String CHANGE_ID = CANONICAL + "in-place-upgrade-change-id";
    public static final String LAST_FAILED_ATTEMPT_AT = CANONICAL + "in-place-upgrade-last-failed-attempt-at";
    public static final String REFRESH_CERTIFICATES = CANONICAL + "refresh-certificates";

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
    /** Time of the last backup, such as {@code 2026-01-02T03:04:05Z}. The newer one of Machine and Cluster counts. */
    public static final String BACKUP_AT = "flotilla.dev/backup-at";
    /** On a Machine: the attempt annotation of a worker, while the attempt runs. */
    public static final String ATTEMPT = "flotilla.dev/attempt";
    /** On a Node: the attempt annotation of the attempt that cordoned it. */
    public static final String CORDONED = "flotilla.dev/cordoned";
    /** Beside a change-id: the attempt of Flotilla that it belongs to. A change-id without it is foreign. */
    public static final String OWN_CHANGE = "flotilla.dev/own-change";
    /** On a Machine: the uid of the UpgradeTask that it belongs to. */
    public static final String UPGRADE_TASK = "flotilla.dev/upgrade-task";
    /** On a Machine: the hash of the machine spec that an UpgradeTask has brought about. */
    public static final String REACHED_SPEC = "flotilla.dev/reached-machine-spec";
    /** On a Machine: the fields whose changes were accepted and not applied, such as {@code KubeadmConfig spec.files}. */
    public static final String DIRTY = "flotilla.dev/dirty";
    /** On a Machine: keyed hashes of the values that it has in fields whose changes are not applied. */
    public static final String KEPT_VALUES = "flotilla.dev/kept-values";

    private AnnotationKeys() {}
}
