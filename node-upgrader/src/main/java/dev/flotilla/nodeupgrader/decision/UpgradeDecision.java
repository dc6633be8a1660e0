package dev.flotilla.nodeupgrader.decision;

import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.UpgradePlace;

/** What is done next for a NodeUpgrade: one write, or none. */
public sealed interface UpgradeDecision {
    /** Writes the status, if the object has not changed since. */
    record WriteStatus(NodeUpgradeStatus status) implements UpgradeDecision {}

    /** Sets the finalizer, so that the object stays until its end is known, and keeps where the upgrade runs. */
    record HoldObject(UpgradePlace place) implements UpgradeDecision {}

    /** Removes the finalizer. */
    record ReleaseObject() implements UpgradeDecision {}

    /**
     * Creates the Job.
     *
     * @param suspended whether no pod may start: then it only keeps others from creating the Job
     */
    record CreateJob(boolean suspended) implements UpgradeDecision {}

    /** Suspends the Job, so that its pods end and no step starts. */
    record SuspendJob() implements UpgradeDecision {}

    /** Creates the pod that reads the result from the node. */
    record CreateResultPod() implements UpgradeDecision {}

    /** Deletes that pod, so that another can read again. */
    record DeleteResultPod() implements UpgradeDecision {}

    /** Waits for something outside. */
    record WaitForChange() implements UpgradeDecision {}

    /** Nothing is left to do. */
    record Finished() implements UpgradeDecision {}
}
