package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import org.jspecify.annotations.Nullable;

/** Where an attempt is. Each stage waits for its own signals, and bears all others. */
sealed interface Stage {

    /** Before the call: what does the node show? Its change or its silence is waited out. */
    record Looking(@Nullable Long darkSince) implements Stage {}

    /** Nothing was done to any object yet: does the node's k8sd answer, and take the token? */
    record Reaching(@Nullable Long darkSince) implements Stage {}

    /**
     * The checks before the call are being asked.
     *
     * @param guarded whether the guards are set, so that the licence comes next
     */
    record Checking(boolean guarded) implements Stage {}

    /** The guards are being set. */
    record Guarding(long since) implements Stage {}

    /** The licence for one call is being written. Its age counts from before: nobody knows how long a commit takes. */
    record Licensing(long since) implements Stage {}

    /** The licence is out, and the last look at the cluster is being taken. */
    record Judging(long licensed) implements Stage {}

    /** The call is being made, or was. */
    record Calling(long licensed) implements Stage {}

    /** The change's id is being written. */
    record Noting(String changeId) implements Stage {}

    /** The call was made, or may have been: what came of it? */
    record After(Aftermath aftermath) implements Stage {}

    /** The checks after the call are being asked, and asked again. */
    record Confirming(Confirmation confirmation) implements Stage {}

    /** What was done to the objects is being undone, before the end is told. */
    record Undoing(AttemptReport end) implements Stage {}

    record Ended() implements Stage {}

    /** Whether nothing was called yet: a command that is taken back ends it, and a licence can be given back. */
    default boolean isBeforeTheCall() {
        return switch (this) {
            case Looking s -> true;
            case Reaching s -> true;
            case Checking s -> true;
            case Guarding s -> true;
            case Licensing s -> true;
            case Judging s -> true;
            case Calling s -> false;
            case Noting s -> false;
            case After s -> false;
            case Confirming s -> false;
            case Undoing s -> false;
            case Ended s -> false;
        };
    }

    /**
     * Whether it may be left as it is: whoever takes it up from what is written knows as much.
     *
     * @param licensed whether a licence is what was written last
     */
    default boolean isSettled(boolean licensed) {
        return switch (this) {
            case Looking s -> !licensed;
            case Reaching s -> !licensed;
            case Checking s -> !licensed;
            case Guarding s -> !licensed;
            case Licensing s -> false;
            case Judging s -> false;
            case Calling s -> false;
            case Noting s -> false;
            case After s -> true;
            case Confirming s -> true;
            case Undoing s -> false;
            case Ended s -> true;
        };
    }
}
