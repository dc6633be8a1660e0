package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reason and message of an Event about an object, in the provider's words if the provider has such an Event.
 *
 * @param message cut to the longest message that an API server accepts
 * @param onOwner whether the Event is created on the object's owner, together with those of other machines; without an
 *     owner, on the object
 */
record UpgradeEvent(boolean warning, String reason, String message, boolean onOwner) {
    private static final int MAX_MESSAGE = 1_024;

    static final String IN_PROGRESS = "InPlaceUpgradeInProgress";
    static final String REQUESTED = "InPlaceUpgradeRequested";
    static final String DONE = "InPlaceUpgradeDone";
    static final String FAILED = "InPlaceUpgradeFailed";
    static final String REAPPLIED = "InPlaceUpgradeReapplied";
    static final String JOINING = "InPlaceUpgradeDefaultRelease";
    static final String UNKNOWN = "InPlaceUpgradeUnknown";
    static final String WAITING = "InPlaceUpgradeBlocked";
    static final String TAKEN_OVER = "InPlaceUpgradeTakenOver";
    static final String FOREIGN = "InPlaceUpgradeForeign";
    static final String UNREADABLE = "InPlaceUpgradeUnreadable";

    public UpgradeEvent {
        message = message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE);
    }

    UpgradeEvent(boolean warning, String reason, String text) {
        this(warning, reason, text, false);
    }

    /** For a condition only: it is true while the upgrade waits and while it runs. */
    static UpgradeEvent requested(ObjectKey object, String target) {
        String where = object instanceof MachineKey machine
                ? ": `flotilla machine explain " + machine + "` shows what it waits for"
                : "";
        return new UpgradeEvent(
                false, REQUESTED, "Requested in place upgrade with " + target + ", which is not done yet" + where);
    }

    static UpgradeEvent inProgress(String target) {
        return new UpgradeEvent(false, IN_PROGRESS, "Performing in place upgrade with " + target);
    }

    /** For an owner, with the machine that is in progress. */
    static UpgradeEvent inProgressFor(String machine) {
        return new UpgradeEvent(false, IN_PROGRESS, "In-place upgrade is in-progress for \"" + machine + "\"");
    }

    static UpgradeEvent done(String target) {
        return new UpgradeEvent(false, DONE, "Successfully performed in place upgrade with " + target);
    }

    /** For a machine that is upgraded for another object or a campaign. */
    static UpgradeEvent doneAmongOthers(String target) {
        return new UpgradeEvent(false, DONE, done(target).message(), true);
    }

    /** For an owner, with some of its machines. */
    static UpgradeEvent doneFor(String target, String machines) {
        return new UpgradeEvent(false, DONE, "In-place upgrade with " + target + " is done for " + machines);
    }

    /** For an owner whose machines are all done. */
    static UpgradeEvent allDone() {
        return new UpgradeEvent(false, DONE, "In-place upgrade is done");
    }

    static UpgradeEvent failed(String target, String reason) {
        return new UpgradeEvent(true, FAILED, "Failed to perform in place upgrade with " + target + ": " + reason);
    }

    /** For an owner. */
    static UpgradeEvent failedFor(String machine) {
        return new UpgradeEvent(true, FAILED, "In-place upgrade failed for machine \"" + machine + "\".");
    }

    static UpgradeEvent reapplied(String target, String reapplier) {
        return new UpgradeEvent(
                true,
                REAPPLIED,
                "\"" + target + "\" was reapplied by " + reapplier
                        + " within ten minutes after it was fulfilled, and starts nothing: remove it from what "
                        + reapplier
                        + " applies, or write another value");
    }

    /** For a call whose outcome is unknown. */
    static UpgradeEvent unknown(String target, Instant since, @Nullable String reason) {
        return new UpgradeEvent(
                true,
                UNKNOWN,
                "The outcome of the in place upgrade with " + target + " is unknown since "
                        + since.truncatedTo(ChronoUnit.SECONDS)
                        + (reason == null || reason.isEmpty() ? "" : ": " + reason)
                        + ". Flotilla watches the machine and does not call it again until the outcome is known");
    }

    /** For an intent that waits. */
    static UpgradeEvent waiting(String target, String reason) {
        return new UpgradeEvent(false, WAITING, "Waiting to perform in place upgrade with " + target + ": " + reason);
    }

    static UpgradeEvent takenOver(String target) {
        return new UpgradeEvent(
                false,
                TAKEN_OVER,
                AnnotationKeys.UPGRADE_TO + "=" + target
                        + " was written before the policy flotilla-intercept was in force, and is"
                        + " followed by Flotilla from now on: remove " + AnnotationKeys.OUR_UPGRADE_TO
                        + " to cancel");
    }

    /** For a foreign change-id that no controller will remove. */
    static UpgradeEvent foreign(MachineKey machine, String changeId) {
        return new UpgradeEvent(
                true,
                FOREIGN,
                "The change-id " + changeId
                        + " was not written by Flotilla, and no controller is upgrading the machine, so Flotilla"
                        + " does not start it. If no refresh runs on its node, remove it: kubectl -n "
                        + machine.namespace()
                        + " annotate machine " + machine.name() + " " + AnnotationKeys.CHANGE_ID + "- "
                        + AnnotationKeys.STATUS
                        + "-");
    }

    /** For an object whose row is rejected. */
    static UpgradeEvent unreadable(String problem) {
        return new UpgradeEvent(
                true, UNREADABLE, "Flotilla cannot publish this object and starts nothing on it: " + problem);
    }

    static UpgradeEvent joining(String target) {
        return new UpgradeEvent(
                false,
                JOINING,
                "Joins with the release of its bootstrap configuration, and is upgraded to " + target
                        + ", the default release of its owner, once it has a node");
    }
}
