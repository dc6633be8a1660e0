package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.Condition;
import dev.flotilla.schemas.id.ObjectKey;
import org.jspecify.annotations.Nullable;

/** One write about an object. */
sealed interface Change permits Amendment, Change.Conditioned, Change.Notice {
    ObjectKey object();

    /**
     * Its condition has to become this one.
     *
     * @param condition null where it has to go
     */
    record Conditioned(
            ObjectKey object, String uid, @Nullable Condition condition) implements Change {}

    /** Something is to be told of it, and nothing to be changed. */
    record Notice(ObjectKey object, String uid, Happened happened) implements Change {}
}
