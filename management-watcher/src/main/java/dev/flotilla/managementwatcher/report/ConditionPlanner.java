package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.ReportedChangeAnnotation;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import org.jspecify.annotations.Nullable;

/** What an object's condition says: what its status annotation says, with why. Only where somebody asked on the object itself. */
final class ConditionPlanner {
    private static final String TRUE = "True";
    private static final String FALSE = "False";
    private static final String UNKNOWN = "Unknown";

    private ConditionPlanner() {}

    /**
     * What has to become different; null for nothing.
     *
     * @param asked whether somebody asks for something now
     * @param option what for; empty where nobody does
     * @param why it failed; null where that is not known
     */
    static ObjectWrite.@Nullable ConditionWrite planCondition(
            ObjectView object, boolean asked, String option, @Nullable String why) {
        ObjectAnnotations objectAnnotations = object.annotations();
        UpgradeCondition there = objectAnnotations.condition();
        if (!asked && there == null && objectAnnotations.fulfilled() == null) {
            return null;
        }
        return change(object, wanted(object, asked, option, why));
    }

    /** The same of a machine whose outcome nobody knows, whoever asked: it may stay so for hours. */
    static ObjectWrite.@Nullable ConditionWrite planUnknown(ObjectView object, UpgradeEvent upgradeEvent) {
        return change(object, condition(object.annotations(), UNKNOWN, upgradeEvent));
    }

    /** The same of a wish that is followed and waits. */
    static ObjectWrite.@Nullable ConditionWrite planWaiting(ObjectView object, UpgradeEvent upgradeEvent) {
        return change(object, condition(object.annotations(), FALSE, upgradeEvent));
    }

    private static ObjectWrite.@Nullable ConditionWrite change(ObjectView object, @Nullable UpgradeCondition wanted) {
        UpgradeCondition there = object.annotations().condition();
        boolean same = wanted == null
                ? there == null
                : there != null
                        && wanted.status().equals(there.status())
                        && wanted.reason().equals(there.reason())
                        && wanted.message().equals(there.message());
        return same ? null : new ObjectWrite.ConditionWrite(object.key(), object.uid(), wanted);
    }

    private static @Nullable UpgradeCondition wanted(
            ObjectView object, boolean asked, String option, @Nullable String why) {
        ObjectAnnotations objectAnnotations = object.annotations();
        String status = objectAnnotations.status();
        if (status == null) {
            return null;
        }
        return switch (status) {
            case "in-progress" -> inProgress(object, option);
            case "done" ->
                asked && !option.equals(objectAnnotations.fulfilled())
                        ? asked(object, option)
                        : condition(
                                objectAnnotations,
                                TRUE,
                                UpgradeEvent.done(
                                        objectAnnotations.release() == null ? option : objectAnnotations.release()));
            case "failed" -> {
                UpgradeCondition there = objectAnnotations.condition();
                boolean known = there != null && there.reason().equals(UpgradeEvent.FAILED);
                yield why == null && known
                        ? there
                        : condition(objectAnnotations, FALSE, UpgradeEvent.failed(option, orUnknown(why)));
            }
            default -> null;
        };
    }

    /**
     * What was done is not what is asked for now: whoever waits for the condition must not take the one for the other. Where no
     * condition says so, none is written only to say that nothing has begun.
     */
    private static @Nullable UpgradeCondition asked(ObjectView object, String option) {
        ObjectAnnotations objectAnnotations = object.annotations();
        return objectAnnotations.condition() == null
                ? null
                : condition(objectAnnotations, FALSE, UpgradeEvent.requested(object.key(), option));
    }

    /**
     * That it is asked for and not done holds now as well, and a second write would say little more. What is performed on a
     * machine is what its node was called for, whatever is asked for meanwhile.
     */
    private static UpgradeCondition inProgress(ObjectView object, String option) {
        ObjectAnnotations objectAnnotations = object.annotations();
        UpgradeCondition there = objectAnnotations.condition();
        ReportedChangeAnnotation ours =
                objectAnnotations.isChangeOurs() ? ReportedChangeAnnotation.parse(objectAnnotations.reported()) : null;
        boolean said = there != null
                && there.message()
                        .equals(UpgradeEvent.requested(object.key(), option).message());
        return there != null && said
                ? there
                : condition(objectAnnotations, FALSE, UpgradeEvent.inProgress(ours == null ? option : ours.target()));
    }

    private static String orUnknown(@Nullable String why) {
        return why == null ? "the last attempt failed" : why;
    }

    private static UpgradeCondition condition(
            ObjectAnnotations objectAnnotations, String status, UpgradeEvent upgradeEvent) {
        UpgradeCondition there = objectAnnotations.condition();
        return new UpgradeCondition(
                status,
                upgradeEvent.reason(),
                upgradeEvent.message(),
                there != null && there.status().equals(status) ? there.since() : "");
    }
}
