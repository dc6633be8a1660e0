package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What stands on an object about upgrades: what people ask for, and what was written back. Most objects have none or the same.
 *
 * @param upgradeTo the provider's key
 * @param ourUpgradeTo our own
 * @param releasedByOthers when somebody else wrote the release last; null where it is ours, or is not there
 * @param reported what we wrote beside a change-id: see {@link ReportedChangeAnnotation}
 * @param attempt what a worker left on a Machine
 * @param defaultRelease what machines that join an owner are to be upgraded to
 * @param reappliedBy who put back the wish that was fulfilled a moment before: see {@link ReappliedAnnotation}
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
        @Nullable String defaultRelease,
        @Nullable String fulfilled,
        @Nullable String reappliedBy,
        @Nullable UpgradeCondition condition) {
    public static final ObjectAnnotations NONE =
            new ObjectAnnotations(null, null, null, null, null, null, null, null, null, null, null, null, null);

    static ObjectAnnotations readFrom(KubeObject object) {
        String fulfilled = object.annotation(WatcherAnnotationKeys.FULFILLED);
        return new ObjectAnnotations(
                object.annotation(WatcherAnnotationKeys.UPGRADE_TO),
                object.annotation(WatcherAnnotationKeys.OUR_UPGRADE_TO),
                object.annotation(WatcherAnnotationKeys.STATUS),
                object.annotation(WatcherAnnotationKeys.RELEASE),
                ManagedFieldsReader.lastWriteByOthers(object, WatcherAnnotationKeys.RELEASE),
                object.annotation(WatcherAnnotationKeys.CHANGE_ID),
                object.annotation(WatcherAnnotationKeys.LAST_FAILED),
                object.annotation(WatcherAnnotationKeys.REPORTED),
                object.annotation(WatcherAnnotationKeys.ATTEMPT),
                object.annotation(WatcherAnnotationKeys.STANDING_RELEASE),
                fulfilled,
                fulfilled == null ? null : reappliedBy(object, fulfilled),
                UpgradeCondition.readFrom(object));
    }

    private static @Nullable String reappliedBy(KubeObject object, String fulfilled) {
        for (String key : new String[] {WatcherAnnotationKeys.UPGRADE_TO, WatcherAnnotationKeys.OUR_UPGRADE_TO}) {
            String who = fulfilled.equals(object.annotation(key)) ? ReappliedAnnotation.reappliedBy(object, key) : null;
            if (who != null) {
                return who;
            }
        }
        return null;
    }

    /** Whether its change is one that we wrote down. */
    public boolean isChangeOurs() {
        ReportedChangeAnnotation ours = changeId == null ? null : ReportedChangeAnnotation.read(reported);
        return ours != null && ours.changeId().equals(changeId);
    }

    /** Whether it bears a change that no attempt of ours made. A worker's mark says that one is at it. */
    public boolean isChangeForeign() {
        return changeId != null && attempt == null && !isChangeOurs();
    }
}
