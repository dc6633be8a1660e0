package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an Event tells of an object, once, in the provider's words where it has some.
 *
 * @param text cut to what an API server takes as a message
 * @param shared whether it is told on the object's owner, together with others; where it has none, on itself
 */
public record Happened(boolean warning, String reason, String text, boolean shared) {
    private static final int LONGEST_TEXT = 1_024;

    static final String IN_PROGRESS = "InPlaceUpgradeInProgress";
    static final String ASKED = "InPlaceUpgradeAsked";
    static final String DONE = "InPlaceUpgradeDone";
    static final String FAILED = "InPlaceUpgradeFailed";
    static final String PUT_BACK = "InPlaceUpgradePutBack";
    static final String JOINS = "InPlaceUpgradeJoins";
    static final String UNKNOWN = "InPlaceUpgradeUnknown";
    static final String WAITING = "InPlaceUpgradeWaiting";
    static final String TAKEN_OVER = "InPlaceUpgradeTakenOver";
    static final String FOREIGN = "InPlaceUpgradeForeign";
    static final String UNREADABLE = "InPlaceUpgradeUnreadable";

    public Happened {
        text = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }

    Happened(boolean warning, String reason, String text) {
        this(warning, reason, text, false);
    }

    /** In a condition only. It holds while it waits, and while it is in progress. */
    static Happened asked(ObjectKey object, String option) {
        String where = object instanceof MachineKey machine
                ? ": `flotilla machine explain " + machine + "` tells what it waits for"
                : "";
        return new Happened(
                false, ASKED, "Asked for in place upgrade with " + option + ", which is not done yet" + where);
    }

    static Happened inProgress(String option) {
        return new Happened(false, IN_PROGRESS, "Performing in place upgrade with " + option);
    }

    /** For an owner, of the machine that is at work. */
    static Happened inProgressFor(String machine) {
        return new Happened(false, IN_PROGRESS, "In-place upgrade is in-progress for \"" + machine + "\"");
    }

    static Happened done(String option) {
        return new Happened(false, DONE, "Successfully performed in place upgrade with " + option);
    }

    /** Of a machine that nobody asked for by itself. */
    static Happened doneAmongOthers(String option) {
        return new Happened(false, DONE, done(option).text(), true);
    }

    /** For an owner, of some of its machines. */
    static Happened doneFor(String option, String machines) {
        return new Happened(false, DONE, "In-place upgrade with " + option + " is done for " + machines);
    }

    /** For an owner whose machines are all done. */
    static Happened allDone() {
        return new Happened(false, DONE, "In-place upgrade is done");
    }

    static Happened failed(String option, String why) {
        return new Happened(true, FAILED, "Failed to perform in place upgrade with " + option + ": " + why);
    }

    /** For an owner. */
    static Happened failedFor(String machine) {
        return new Happened(true, FAILED, "In-place upgrade failed for machine \"" + machine + "\".");
    }

    static Happened putBack(String option, String who) {
        return new Happened(
                true,
                PUT_BACK,
                "\"" + option + "\" was put back by " + who
                        + " within ten minutes of its end, and starts nothing: take it out of what " + who
                        + " applies, or write another value");
    }

    /** Of a call whose outcome nobody knows. */
    static Happened unknown(String option, Instant since, @Nullable String why) {
        return new Happened(
                true,
                UNKNOWN,
                "The outcome of the in place upgrade with " + option + " is unknown since "
                        + since.truncatedTo(ChronoUnit.SECONDS)
                        + (why == null || why.isEmpty() ? "" : ": " + why)
                        + ". The machine is watched and is not called again meanwhile");
    }

    /** Of a wish that is followed and not begun. */
    static Happened waiting(String option, String why) {
        return new Happened(false, WAITING, "Waiting to perform in place upgrade with " + option + ": " + why);
    }

    static Happened takenOver(String option) {
        return new Happened(
                false,
                TAKEN_OVER,
                Wording.UPGRADE_TO + "=" + option
                        + " was written before the policy flotilla-intercept was in force, and is"
                        + " followed by Flotilla from now on: remove " + Wording.OUR_UPGRADE_TO + " to cancel");
    }

    /** Of a change-id that nobody is going to remove. */
    static Happened foreign(MachineKey machine, String changeId) {
        return new Happened(
                true,
                FOREIGN,
                "The change-id " + changeId
                        + " was not written by Flotilla, and no controller is at the machine: it is not"
                        + " started. If no refresh runs on its node, remove it: kubectl -n " + machine.namespace()
                        + " annotate machine " + machine.name() + " " + Wording.CHANGE_ID + "- " + Wording.STATUS
                        + "-");
    }

    /** Of an object whose row nobody could read. */
    static Happened unreadable(String problem) {
        return new Happened(
                true, UNREADABLE, "Flotilla cannot work with this object, and starts nothing on it: " + problem);
    }

    static Happened joins(String option) {
        return new Happened(
                false,
                JOINS,
                "Joins with what its bootstrap configuration says, and is upgraded to " + option
                        + ", which its owner's machines have, once it has a node");
    }
}
