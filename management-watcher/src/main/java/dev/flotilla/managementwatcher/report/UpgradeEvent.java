package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an Event tells of an object, once, in the provider's words where it has some.
 *
 * @param message cut to what an API server takes as a message
 * @param onOwner whether it is told on the object's owner, together with others; where it has none, on itself
 */
public record UpgradeEvent(boolean warning, String reason, String message, boolean onOwner) {
    private static final int LONGEST_TEXT = 1_024;

    static final String IN_PROGRESS = "InPlaceUpgradeInProgress";
    static final String REQUESTED = "InPlaceUpgradeAsked";
    static final String DONE = "InPlaceUpgradeDone";
    static final String FAILED = "InPlaceUpgradeFailed";
    static final String REAPPLIED = "InPlaceUpgradePutBack";
    static final String JOINING = "InPlaceUpgradeJoins";
    static final String UNKNOWN = "InPlaceUpgradeUnknown";
    static final String WAITING = "InPlaceUpgradeWaiting";
    static final String TAKEN_OVER = "InPlaceUpgradeTakenOver";
    static final String FOREIGN = "InPlaceUpgradeForeign";
    static final String UNREADABLE = "InPlaceUpgradeUnreadable";

    public UpgradeEvent {
        message = message.length() <= LONGEST_TEXT ? message : message.substring(0, LONGEST_TEXT);
    }

    UpgradeEvent(boolean warning, String reason, String text) {
        this(warning, reason, text, false);
    }

    /** In a condition only. It holds while it waits, and while it is in progress. */
    static UpgradeEvent requested(ObjectKey object, String option) {
        String where = object instanceof MachineKey machine
                ? ": `flotilla machine explain " + machine + "` tells what it waits for"
                : "";
        return new UpgradeEvent(
                false, REQUESTED, "Asked for in place upgrade with " + option + ", which is not done yet" + where);
    }

    static UpgradeEvent inProgress(String option) {
        return new UpgradeEvent(false, IN_PROGRESS, "Performing in place upgrade with " + option);
    }

    /** For an owner, of the machine that is at work. */
    static UpgradeEvent inProgressFor(String machine) {
        return new UpgradeEvent(false, IN_PROGRESS, "In-place upgrade is in-progress for \"" + machine + "\"");
    }

    static UpgradeEvent done(String option) {
        return new UpgradeEvent(false, DONE, "Successfully performed in place upgrade with " + option);
    }

    /** Of a machine that nobody asked for by itself. */
    static UpgradeEvent doneAmongOthers(String option) {
        return new UpgradeEvent(false, DONE, done(option).message(), true);
    }

    /** For an owner, of some of its machines. */
    static UpgradeEvent doneFor(String option, String machines) {
        return new UpgradeEvent(false, DONE, "In-place upgrade with " + option + " is done for " + machines);
    }

    /** For an owner whose machines are all done. */
    static UpgradeEvent allDone() {
        return new UpgradeEvent(false, DONE, "In-place upgrade is done");
    }

    static UpgradeEvent failed(String option, String why) {
        return new UpgradeEvent(true, FAILED, "Failed to perform in place upgrade with " + option + ": " + why);
    }

    /** For an owner. */
    static UpgradeEvent failedFor(String machine) {
        return new UpgradeEvent(true, FAILED, "In-place upgrade failed for machine \"" + machine + "\".");
    }

    static UpgradeEvent reapplied(String option, String who) {
        return new UpgradeEvent(
                true,
                REAPPLIED,
                "\"" + option + "\" was put back by " + who
                        + " within ten minutes of its end, and starts nothing: take it out of what " + who
                        + " applies, or write another value");
    }

    /** Of a call whose outcome nobody knows. */
    static UpgradeEvent unknown(String option, Instant since, @Nullable String why) {
        return new UpgradeEvent(
                true,
                UNKNOWN,
                "The outcome of the in place upgrade with " + option + " is unknown since "
                        + since.truncatedTo(ChronoUnit.SECONDS)
                        + (why == null || why.isEmpty() ? "" : ": " + why)
                        + ". The machine is watched and is not called again meanwhile");
    }

    /** Of a wish that is followed and not begun. */
    static UpgradeEvent waiting(String option, String why) {
        return new UpgradeEvent(false, WAITING, "Waiting to perform in place upgrade with " + option + ": " + why);
    }

    static UpgradeEvent takenOver(String option) {
        return new UpgradeEvent(
                false,
                TAKEN_OVER,
                WatcherAnnotationKeys.UPGRADE_TO + "=" + option
                        + " was written before the policy flotilla-intercept was in force, and is"
                        + " followed by Flotilla from now on: remove " + WatcherAnnotationKeys.OUR_UPGRADE_TO
                        + " to cancel");
    }

    /** Of a change-id that nobody is going to remove. */
    static UpgradeEvent foreign(MachineKey machine, String changeId) {
        return new UpgradeEvent(
                true,
                FOREIGN,
                "The change-id " + changeId
                        + " was not written by Flotilla, and no controller is at the machine: it is not"
                        + " started. If no refresh runs on its node, remove it: kubectl -n " + machine.namespace()
                        + " annotate machine " + machine.name() + " " + WatcherAnnotationKeys.CHANGE_ID + "- "
                        + WatcherAnnotationKeys.STATUS
                        + "-");
    }

    /** Of an object whose row nobody could read. */
    static UpgradeEvent unreadable(String problem) {
        return new UpgradeEvent(
                true, UNREADABLE, "Flotilla cannot work with this object, and starts nothing on it: " + problem);
    }

    static UpgradeEvent joining(String option) {
        return new UpgradeEvent(
                false,
                JOINING,
                "Joins with what its bootstrap configuration says, and is upgraded to " + option
                        + ", which its owner's machines have, once it has a node");
    }
}
