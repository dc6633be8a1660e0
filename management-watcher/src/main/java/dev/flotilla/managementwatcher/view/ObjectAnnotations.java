package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The upgrade annotations and the condition of an object: what people requested and what was written back. Most objects
 * have none, or the same as others.
 *
 * @param upgradeTo value of the provider's annotation
 * @param ourUpgradeTo value of Flotilla's annotation
 * @param releasedByOthers when another writer set the release last; null if it was Flotilla or there is no release
 * @param reported what Flotilla wrote beside a change-id: see {@link ReportedChangeAnnotation}
 * @param attempt attempt annotation of a worker, on a Machine
 * @param holdsTermination whether a Machine that is deleted stays until an attempt has ended
 * @param defaultRelease release to which machines that join the owner are upgraded
 * @param reappliedBy who reapplied the annotation that had just been fulfilled: see {@link ReappliedAnnotation}
 * @param dirty fields whose change was accepted and not applied, on a Machine; null for none
 */
public record ObjectAnnotations(
        @Nullable String upgradeTo,
        @Nullable String ourUpgradeTo,
        @Nullable String status,
        @Nullable String release,
        @Nullable Instant releasedByOthers,
        @Nullable String changeId,
        @Nullable String lastFailedAt,
        @Nullable String reported,
        @Nullable String attempt,
        boolean holdsTermination,
        @Nullable String defaultRelease,
        @Nullable String fulfilled,
        @Nullable String reappliedBy,
        @Nullable String dirty,
        @Nullable UpgradeCondition condition) {
    public static final ObjectAnnotations NONE = new ObjectAnnotations(
            null, null, null, null, null, null, null, null, null, false, null, null, null, null, null);

    static ObjectAnnotations readFrom(KubeObject object) {
        String fulfilled = object.annotation(AnnotationKeys.LAST_FULFILLED);
        return new ObjectAnnotations(
                object.annotation(AnnotationKeys.UPGRADE_TO),
                object.annotation(AnnotationKeys.OUR_UPGRADE_TO),
                object.annotation(AnnotationKeys.STATUS),
                object.annotation(AnnotationKeys.RELEASE),
                ManagedFieldsReader.lastWriteByOthers(object, AnnotationKeys.RELEASE),
                object.annotation(AnnotationKeys.CHANGE_ID),
                object.annotation(AnnotationKeys.LAST_FAILED_ATTEMPT_AT),
                object.annotation(AnnotationKeys.OWN_CHANGE),
                object.annotation(AnnotationKeys.ATTEMPT),
                object.annotation(AnnotationKeys.TERMINATION_HOOK) != null,
                object.annotation(AnnotationKeys.DEFAULT_RELEASE),
                fulfilled,
                fulfilled == null ? null : findReapplier(object, fulfilled),
                object.annotation(AnnotationKeys.DIRTY),
                UpgradeCondition.readFrom(object));
    }

    private static @Nullable String findReapplier(KubeObject object, String fulfilled) {
        for (String key : new String[] {AnnotationKeys.UPGRADE_TO, AnnotationKeys.OUR_UPGRADE_TO}) {
            String reapplier =
                    fulfilled.equals(object.annotation(key)) ? ReappliedAnnotation.findReapplier(object, key) : null;
            if (reapplier != null) {
                return reapplier;
            }
        }
        return null;
    }

    /** Whether Flotilla wrote the change-id. */
    public boolean isChangeOurs() {
        ReportedChangeAnnotation ours = changeId == null ? null : ReportedChangeAnnotation.parse(reported);
        return ours != null && ours.changeId().equals(changeId);
    }

    /**
     * Whether the change-id belongs to no attempt of Flotilla. While a worker's attempt annotation is there, the change
     * is its own.
     */
    public boolean isChangeForeign() {
        return changeId != null && attempt == null && !isChangeOurs();
    }
}
