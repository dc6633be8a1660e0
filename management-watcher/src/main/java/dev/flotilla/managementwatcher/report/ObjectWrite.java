package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.UpgradeCondition;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import org.jspecify.annotations.Nullable;

/** One write about an object. */
sealed interface ObjectWrite
        permits AnnotationWrite, ObjectWrite.ConditionWrite, ObjectWrite.EventWrite, ObjectWrite.JoinerReleaseWrite {
    ObjectKey object();

    /**
     * Its condition has to become this one.
     *
     * @param condition null where it has to go
     */
    record ConditionWrite(
            ObjectKey object, String uid, @Nullable UpgradeCondition condition) implements ObjectWrite {}

    /** Something is to be told of it, and nothing to be changed. */
    record EventWrite(ObjectKey object, String uid, UpgradeEvent event) implements ObjectWrite {}

    /**
     * What Machines that join an owner are made with, for the policy that writes it on them.
     *
     * @param release null for nothing
     */
    record JoinerReleaseWrite(OwnerKey object, @Nullable String release) implements ObjectWrite {}
}
