package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import dev.flotilla.managementwatcher.view.UpgradeCondition;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import org.jspecify.annotations.Nullable;

/** A write to an object, or about it. */
sealed interface ObjectWrite
        permits AnnotationWrite,
                ObjectWrite.ConditionWrite,
                ObjectWrite.TaskConditionWrite,
                ObjectWrite.EventWrite,
                ObjectWrite.JoinerReleaseWrite {
    ObjectKey object();

    /**
     * Sets the condition of an object.
     *
     * @param condition null removes it
     */
    record ConditionWrite(
            ObjectKey object, String uid, @Nullable UpgradeCondition condition) implements ObjectWrite {}

    /**
     * Sets the condition of a Machine's UpgradeTask.
     *
     * @param condition null removes it
     */
    record TaskConditionWrite(
            ObjectKey object, String uid, @Nullable MachineTaskCondition condition) implements ObjectWrite {}

    /** Creates an Event about an object, which itself is not changed. */
    record EventWrite(ObjectKey object, String uid, UpgradeEvent event) implements ObjectWrite {}

    /**
     * Sets an owner's default release in the ConfigMap from which a policy writes it on Machines that join.
     *
     * @param release null removes it
     */
    record JoinerReleaseWrite(OwnerKey object, @Nullable String release) implements ObjectWrite {}
}
