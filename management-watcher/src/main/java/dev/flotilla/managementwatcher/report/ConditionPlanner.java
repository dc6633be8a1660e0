package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import org.jspecify.annotations.Nullable;

/**
 * Plans the condition of an object. It says the same as the status annotation, with the reason, and is written only if
 * the object itself has an upgrade annotation.
 */
final class ConditionPlanner {
    private static final String TRUE = "True";
    private static final String FALSE = "False";
    private static final String UNKNOWN = "Unknown";

    private ConditionPlanner() {}

    /**
     * Plans the condition; null for no change.
     *
     * @param requested whether there is an upgrade annotation now
     * @param target target of that annotation; empty for none
     * @param runningTarget target of the object's open attempt; null for none
     * @param reason why the upgrade failed; null if that is not known
     */
    static ObjectWrite.@Nullable ConditionWrite planCondition(
            ObjectView object,
            boolean requested,
            String target,
            @Nullable String runningTarget,
            @Nullable String reason) {
        ObjectAnnotations objectAnnotations = object.annotations();
        UpgradeCondition present = objectAnnotations.condition();
        if (!requested && present == null && objectAnnotations.fulfilled() == null) {
            return null;
        }
        return writeIfChanged(object, planFromStatus(object, requested, target, runningTarget, reason));
    }

    /**
     * Plans the condition of a machine whose outcome is unknown, whatever it is upgraded for: it may stay unknown for
     * hours.
     */
    static ObjectWrite.@Nullable ConditionWrite planUnknown(ObjectView object, UpgradeEvent upgradeEvent) {
        return writeIfChanged(object, buildCondition(object.annotations(), UNKNOWN, upgradeEvent));
    }

    /** Plans the condition of an intent that waits. */
    static ObjectWrite.@Nullable ConditionWrite planWaiting(ObjectView object, UpgradeEvent upgradeEvent) {
        return writeIfChanged(object, buildCondition(object.annotations(), FALSE, upgradeEvent));
    }

    private static ObjectWrite.@Nullable ConditionWrite writeIfChanged(
            ObjectView object, @Nullable UpgradeCondition condition) {
        UpgradeCondition present = object.annotations().condition();
        boolean same = condition == null
                ? present == null
                : present != null
                        && condition.status().equals(present.status())
                        && condition.reason().equals(present.reason())
                        && condition.message().equals(present.message());
        return same ? null : new ObjectWrite.ConditionWrite(object.key(), object.uid(), condition);
    }

    private static @Nullable UpgradeCondition planFromStatus(
            ObjectView object,
            boolean requested,
            String target,
            @Nullable String runningTarget,
            @Nullable String reason) {
        ObjectAnnotations objectAnnotations = object.annotations();
        String status = objectAnnotations.status();
        if (status == null) {
            return null;
        }
        return switch (status) {
            case "in-progress" -> planInProgress(object, target, runningTarget);
            case "done" ->
                requested && !target.equals(objectAnnotations.fulfilled())
                        ? planRequested(object, target)
                        : buildCondition(
                                objectAnnotations,
                                TRUE,
                                UpgradeEvent.done(
                                        objectAnnotations.release() == null ? target : objectAnnotations.release()));
            case "failed" -> {
                UpgradeCondition present = objectAnnotations.condition();
                boolean reasonKnown = present != null && present.reason().equals(UpgradeEvent.FAILED);
                yield reason == null && reasonKnown
                        ? present
                        : buildCondition(
                                objectAnnotations, FALSE, UpgradeEvent.failed(target, reasonOrDefault(reason)));
            }
            default -> null;
        };
    }

    /**
     * Plans the condition while the finished upgrade is not the requested one, so that a client that waits for the
     * condition takes one for the other. Without a condition none is written only to say that nothing has begun.
     */
    private static @Nullable UpgradeCondition planRequested(ObjectView object, String target) {
        ObjectAnnotations objectAnnotations = object.annotations();
        return objectAnnotations.condition() == null
                ? null
                : buildCondition(objectAnnotations, FALSE, UpgradeEvent.requested(object.key(), target));
    }

    /**
     * Plans the condition while the upgrade runs. A condition that says "requested and not done" is still true and
     * stays. The target of a machine's running upgrade is that of its call, also if another one is requested by now.
     */
    private static UpgradeCondition planInProgress(ObjectView object, String target, @Nullable String runningTarget) {
        ObjectAnnotations objectAnnotations = object.annotations();
        UpgradeCondition present = objectAnnotations.condition();
        boolean saysRequested = present != null
                && present.message()
                        .equals(UpgradeEvent.requested(object.key(), target).message());
        return present != null && saysRequested
                ? present
                : buildCondition(
                        objectAnnotations,
                        FALSE,
                        UpgradeEvent.inProgress(runningTarget == null ? target : runningTarget));
    }

    private static String reasonOrDefault(@Nullable String reason) {
        return reason == null ? "the last attempt failed" : reason;
    }

    private static UpgradeCondition buildCondition(
            ObjectAnnotations objectAnnotations, String status, UpgradeEvent upgradeEvent) {
        UpgradeCondition present = objectAnnotations.condition();
        return new UpgradeCondition(
                status,
                upgradeEvent.reason(),
                upgradeEvent.message(),
                present != null && present.status().equals(status) ? present.since() : "");
    }
}
