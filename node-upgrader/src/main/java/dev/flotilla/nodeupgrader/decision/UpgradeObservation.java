package dev.flotilla.nodeupgrader.decision;

import dev.flotilla.nodeupgrader.contract.UpgradePlace.NodeIdentity;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.report.NodeReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What was observed for one NodeUpgrade. */
public record UpgradeObservation(PlanLookup plan, WorkloadLookup workload) {

    /** The plan of a NodeUpgrade. */
    public sealed interface PlanLookup {
        /** The plan was read. */
        record PlanFound(UpgradePlan plan) implements PlanLookup {}

        /** There is no such plan. */
        record PlanMissing() implements PlanLookup {}

        /** The plan has an invalid field. */
        record PlanRejected(String problem) implements PlanLookup {}

        /** The management cluster did not respond as it should. */
        record PlanUnreadable() implements PlanLookup {}
    }

    /** The workload cluster of a NodeUpgrade. */
    public sealed interface WorkloadLookup {
        /**
         * Something could not be read.
         *
         * @param forbidden whether the cluster denied it
         * @param clusterDeleted whether the management cluster has no Cluster object of it any more
         * @param since how long this has been so
         */
        record WorkloadUnreadable(String problem, boolean forbidden, boolean clusterDeleted, Duration since)
                implements WorkloadLookup {}

        /**
         * Everything was read.
         *
         * @param jobNamespaceProblem why the namespace admits no Job; null if it does
         * @param activePods whether a pod of the Job has not ended
         * @param kubeletVersion the version that the Node shows; null if there is no Node
         * @param node the machine behind the Node; null if there is no Node
         * @param onlyReplica a pod on the node that is the only replica of a part of Flotilla; null if there is none
         * @param progress what a running pod has reported; null if there is no report
         * @param imageProblem which image the node's kubelet cannot get, and why; null for none
         */
        record WorkloadRead(
                @Nullable String jobNamespaceProblem,
                JobState job,
                boolean activePods,
                ResultPodState resultPod,
                @Nullable String kubeletVersion,
                @Nullable NodeIdentity node,
                @Nullable String onlyReplica,
                @Nullable NodeReport progress,
                @Nullable String imageProblem)
                implements WorkloadLookup {}
    }

    /** The Job of a NodeUpgrade. */
    public enum JobState {
        NONE,
        ACTIVE,
        /** Its pods are removed, and no other is created. */
        SUSPENDED,
        COMPLETE,
        FAILED
    }

    /**
     * The pod that reads the result from the node. Its age is how long this process has seen it: the clocks of two clusters may differ.
     */
    public sealed interface ResultPodState {
        /** There is none. */
        record NoResultPod() implements ResultPodState {}

        /** It has not ended. */
        record ResultPodPending(Duration age) implements ResultPodState {}

        /** It has ended with a report. */
        record ResultReported(NodeReport report, Duration age) implements ResultPodState {}

        /** It has ended without one. */
        record ResultPodFailed() implements ResultPodState {}
    }
}
