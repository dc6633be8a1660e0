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
 * @param reported what we wrote beside a change-id: see {@link Reported}
 * @param attempt what a worker left on a Machine
 * @param standing what machines that join an owner are to be upgraded to
 * @param putBackBy who put back the wish that was fulfilled a moment before: see {@link PutBack}
 */
public record Notes(
        @Nullable String upgradeTo,
        @Nullable String ourUpgradeTo,
        @Nullable String status,
        @Nullable String release,
        @Nullable Instant releasedByOthers,
        @Nullable String changeId,
        @Nullable String lastFailed,
        @Nullable String reported,
        @Nullable String attempt,
        @Nullable String standing,
        @Nullable String fulfilled,
        @Nullable String putBackBy,
        @Nullable Condition condition) {
    public static final Notes NONE =
            new Notes(null, null, null, null, null, null, null, null, null, null, null, null, null);

    static Notes of(KubeObject object) {
        String fulfilled = object.annotation(Wording.FULFILLED);
        return new Notes(
                object.annotation(Wording.UPGRADE_TO),
                object.annotation(Wording.OUR_UPGRADE_TO),
                object.annotation(Wording.STATUS),
                object.annotation(Wording.RELEASE),
                ManagedFields.writtenByOthers(object, Wording.RELEASE),
                object.annotation(Wording.CHANGE_ID),
                object.annotation(Wording.LAST_FAILED),
                object.annotation(Wording.REPORTED),
                object.annotation(Wording.ATTEMPT),
                object.annotation(Wording.STANDING_RELEASE),
                fulfilled,
                fulfilled == null ? null : putBackBy(object, fulfilled),
                Condition.of(object));
    }

    private static @Nullable String putBackBy(KubeObject object, String fulfilled) {
        for (String key : new String[] {Wording.UPGRADE_TO, Wording.OUR_UPGRADE_TO}) {
            String who = fulfilled.equals(object.annotation(key)) ? PutBack.by(object, key) : null;
            if (who != null) {
                return who;
            }
        }
        return null;
    }

    /** Whether its change is one that we wrote down. */
    public boolean isChangeOurs() {
        Reported ours = changeId == null ? null : Reported.read(reported);
        return ours != null && ours.changeId().equals(changeId);
    }

    /** Whether it bears a change that no attempt of ours made. A worker's mark says that one is at it. */
    public boolean isChangeForeign() {
        return changeId != null && attempt == null && !isChangeOurs();
    }
}
