package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.Condition;
import dev.flotilla.managementwatcher.view.Notes;
import dev.flotilla.managementwatcher.view.Reported;
import dev.flotilla.managementwatcher.view.View;
import org.jspecify.annotations.Nullable;

/** What an object's condition says: what its status annotation says, with why. Only where somebody asked on the object itself. */
final class ConditionReport {
    private static final String TRUE = "True";
    private static final String FALSE = "False";
    private static final String UNKNOWN = "Unknown";

    private ConditionReport() {}

    /**
     * What has to become different; null for nothing.
     *
     * @param asked whether somebody asks for something now
     * @param option what for; empty where nobody does
     * @param why it failed; null where that is not known
     */
    static Change.@Nullable Conditioned of(View object, boolean asked, String option, @Nullable String why) {
        Notes notes = object.notes();
        Condition there = notes.condition();
        if (!asked && there == null && notes.fulfilled() == null) {
            return null;
        }
        return change(object, wanted(object, asked, option, why));
    }

    /** The same of a machine whose outcome nobody knows, whoever asked: it may stay so for hours. */
    static Change.@Nullable Conditioned unknown(View object, Happened happened) {
        return change(object, condition(object.notes(), UNKNOWN, happened));
    }

    /** The same of a wish that is followed and waits. */
    static Change.@Nullable Conditioned waiting(View object, Happened happened) {
        return change(object, condition(object.notes(), FALSE, happened));
    }

    private static Change.@Nullable Conditioned change(View object, @Nullable Condition wanted) {
        Condition there = object.notes().condition();
        boolean same = wanted == null
                ? there == null
                : there != null
                        && wanted.status().equals(there.status())
                        && wanted.reason().equals(there.reason())
                        && wanted.message().equals(there.message());
        return same ? null : new Change.Conditioned(object.key(), object.uid(), wanted);
    }

    private static @Nullable Condition wanted(View object, boolean asked, String option, @Nullable String why) {
        Notes notes = object.notes();
        String status = notes.status();
        if (status == null) {
            return null;
        }
        return switch (status) {
            case "in-progress" -> inProgress(object, option);
            case "done" ->
                asked && !option.equals(notes.fulfilled())
                        ? asked(object, option)
                        : condition(notes, TRUE, Happened.done(notes.release() == null ? option : notes.release()));
            case "failed" -> {
                Condition there = notes.condition();
                boolean known = there != null && there.reason().equals(Happened.FAILED);
                yield why == null && known ? there : condition(notes, FALSE, Happened.failed(option, orUnknown(why)));
            }
            default -> null;
        };
    }

    /**
     * What was done is not what is asked for now: whoever waits for the condition must not take the one for the other. Where no
     * condition says so, none is written only to say that nothing has begun.
     */
    private static @Nullable Condition asked(View object, String option) {
        Notes notes = object.notes();
        return notes.condition() == null ? null : condition(notes, FALSE, Happened.asked(object.key(), option));
    }

    /**
     * That it is asked for and not done holds now as well, and a second write would say little more. What is performed on a
     * machine is what its node was called for, whatever is asked for meanwhile.
     */
    private static Condition inProgress(View object, String option) {
        Notes notes = object.notes();
        Condition there = notes.condition();
        Reported ours = notes.isChangeOurs() ? Reported.read(notes.reported()) : null;
        boolean said = there != null
                && there.message().equals(Happened.asked(object.key(), option).text());
        return there != null && said
                ? there
                : condition(notes, FALSE, Happened.inProgress(ours == null ? option : ours.target()));
    }

    private static String orUnknown(@Nullable String why) {
        return why == null ? "the last attempt failed" : why;
    }

    private static Condition condition(Notes notes, String status, Happened happened) {
        Condition there = notes.condition();
        return new Condition(
                status,
                happened.reason(),
                happened.text(),
                there != null && there.status().equals(status) ? there.since() : "");
    }
}
