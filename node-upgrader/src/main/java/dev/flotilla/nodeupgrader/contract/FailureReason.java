package dev.flotilla.nodeupgrader.contract;

/** Why a NodeUpgrade has failed, and whether another attempt may succeed without a person's help. */
public enum FailureReason {
    /** The NodeUpgrade has a value that its CRD would reject. */
    INVALID_SPEC("InvalidSpec", false),
    PLAN_NOT_FOUND("PlanNotFound", false),
    PLAN_INVALID("PlanInvalid", false),
    /** The workload cluster has no namespace that admits the Job. */
    NAMESPACE_NOT_READY("NamespaceNotReady", false),
    /** The workload cluster denies what the node-upgrader needs. */
    FORBIDDEN("Forbidden", false),
    /** The only replica of a part of Flotilla runs on the node. */
    ONLY_REPLICA("OnlyReplicaOnNode", true),
    CLUSTER_UNREACHABLE("ClusterUnreachable", true),
    /** The management cluster has no Cluster object any more, and its API server does not answer. */
    CLUSTER_DELETED("ClusterDeleted", true),
    NODE_NOT_FOUND("NodeNotFound", true),
    /** A kubelet cannot get an image of the upgrade; shown while the upgrade waits for it, and its end if the image never comes. */
    IMAGE_NOT_PULLED("ImageNotPulled", true),
    /** Another machine has taken the Node's name. */
    NODE_REPLACED("NodeReplaced", true),
    DEADLINE_EXCEEDED("DeadlineExceeded", true),
    /** A step has ended with an exit code that the plan calls permanent, or three times with one that it does not name. */
    STEP_FAILED("StepFailed", false),
    /** A step has ended three times with an exit code that the plan calls retryable. */
    STEP_FAILED_RETRYABLY("StepFailedRetryably", true),
    /** The Job has ended before its steps. */
    JOB_ENDED("JobEnded", true),
    /** All steps have succeeded, and the kubelet has another version. */
    VERSION_NOT_REACHED("VersionNotReached", true);

    private final String label;
    private final boolean retryable;

    FailureReason(String label, boolean retryable) {
        this.label = label;
        this.retryable = retryable;
    }

    public String label() {
        return label;
    }

    public boolean isRetryable() {
        return retryable;
    }
}
