package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.Condition;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import org.jspecify.annotations.Nullable;

/** One write about an object. */
sealed interface Change permits Amendment, Change.Conditioned, Change.Notice, Change.Joining {
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

    /**
     * What Machines that join an owner are made with, for the policy that writes it on them.
     *
     * @param release null for nothing
     */
    record Joining(OwnerKey object, @Nullable String release) implements Change {}
}
