package dev.flotilla.nodeupgrader.cluster;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.UpgradePlace.NodeIdentity;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.JobState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.PlanLookup;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.ResultPodState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup.WorkloadRead;
import dev.flotilla.nodeupgrader.job.StartedPlan;
import dev.flotilla.nodeupgrader.job.UpgradeJobFactory;
import dev.flotilla.nodeupgrader.report.NodeReport;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads what a workload cluster shows of one NodeUpgrade. */
final class WorkloadObserver {
    private static final int MAX_PODS = 1_000;
    private static final int MAX_KUBELET_MESSAGE = 300;

    /** Reasons with which a kubelet says that a container waits for an image that it cannot get. */
    private static final Set<String> IMAGE_PROBLEMS =
            Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "RegistryUnavailable");

    private static final String PRIVILEGED = "pod-security.kubernetes.io/enforce";

    private final KubeApiClient cluster;
    private final NodeUpgrade nodeUpgrade;
    private final UpgradePlan plan;
    private final String flotillaNamespace;
    private final Function<String, Duration> ageOfPod;
    private final UnaryOperator<NodeReport> inOwnTime;

    /**
     * @param flotillaNamespace the namespace of Flotilla's own processes
     * @param ageOfPod how long a pod has been seen, by its uid
     * @param inOwnTime gives a report the time at which this process has seen it first
     */
    WorkloadObserver(
            KubeApiClient cluster,
            NodeUpgrade nodeUpgrade,
            UpgradePlan plan,
            String flotillaNamespace,
            Function<String, Duration> ageOfPod,
            UnaryOperator<NodeReport> inOwnTime) {
        this.cluster = cluster;
        this.nodeUpgrade = nodeUpgrade;
        this.plan = plan;
        this.flotillaNamespace = flotillaNamespace;
        this.ageOfPod = ageOfPod;
        this.inOwnTime = inOwnTime;
    }

    /** Observes the workload cluster. The plan of a Job that exists is the one that it was created from. */
    UpgradeObservation observe() throws ClusterReadException {
        boolean pending = nodeUpgrade.status().phase() == NodeUpgradePhase.PENDING;
        KubeObject job = read(
                "Job " + nodeUpgrade.name(),
                KubeApiPath.groupObject("batch/v1", plan.jobNamespace(), "jobs", nodeUpgrade.name()));
        KubeObject node =
                read("Node " + nodeUpgrade.node(), KubeApiPath.clusterScopedObject("nodes", nodeUpgrade.node()));
        List<KubeObject> pods = listPods(
                KubeApiPath.coreObject(plan.jobNamespace(), "pods"),
                UpgradeJobFactory.NODE_UPGRADE_LABEL + "=" + nodeUpgrade.name());
        JobState jobState = stateOf(job);
        UpgradePlan startedPlan = StartedPlan.read(job);
        WorkloadRead read = new WorkloadRead(
                pending ? readNamespaceProblem() : null,
                jobState,
                pods.stream().anyMatch(WorkloadObserver::runsSteps),
                resultPod(pods),
                node == null ? null : String.valueOf(node.text("status", "nodeInfo", "kubeletVersion")),
                node == null ? null : NodeIdentity.of(node),
                pending
                        ? OnlyReplicaFinder.find(
                                nodeUpgrade.node(),
                                listPods(KubeApiPath.coreObject(flotillaNamespace, "pods"), OnlyReplicaFinder.SELECTOR))
                        : null,
                jobState == JobState.ACTIVE ? readProgress(pods) : null,
                findImageProblem(pods));
        return new UpgradeObservation(new PlanLookup.PlanFound(startedPlan == null ? plan : startedPlan), read);
    }

    private static JobState stateOf(@Nullable KubeObject job) {
        if (job == null) {
            return JobState.NONE;
        }
        if (job.isCondition("Complete", "True")) {
            return JobState.COMPLETE;
        }
        if (job.isCondition("Failed", "True")) {
            return JobState.FAILED;
        }
        return job.bool("spec", "suspend") ? JobState.SUSPENDED : JobState.ACTIVE;
    }

    private static boolean hasEnded(KubeObject pod) {
        String phase = pod.text("status", "phase");
        return "Succeeded".equals(phase) || "Failed".equals(phase);
    }

    private static boolean runsSteps(KubeObject pod) {
        return UpgradeJobFactory.STEPS.equals(pod.label(UpgradeJobFactory.POD_LABEL)) && !hasEnded(pod);
    }

    private ResultPodState resultPod(List<KubeObject> pods) {
        for (KubeObject pod : pods) {
            if (pod.name().equals(UpgradeJobFactory.resultPodName(nodeUpgrade))) {
                return resultOf(pod);
            }
        }
        return new ResultPodState.NoResultPod();
    }

    private ResultPodState resultOf(KubeObject pod) {
        Duration age = ageOfPod.apply(pod.uid());
        if (!hasEnded(pod) || pod.isDeleting()) {
            return new ResultPodState.ResultPodPending(age);
        }
        NodeReport report = null;
        for (KubeObject container : pod.list("status", "containerStatuses")) {
            report = NodeReport.parse(container.text("state", "terminated", "message"));
        }
        return report == null
                ? new ResultPodState.ResultPodFailed()
                : new ResultPodState.ResultReported(inOwnTime.apply(report), age);
    }

    /** Reads the latest report from the log of the container that runs; its kubelet may be away, so there may be none. */
    private @Nullable NodeReport readProgress(List<KubeObject> pods) {
        for (KubeObject pod : pods) {
            String container = runsSteps(pod) ? runningContainer(pod) : null;
            if (container != null) {
                KubeResponse log = cluster.get(KubeApiPath.coreObject(plan.jobNamespace(), "pods", pod.name())
                        + "/log?tailLines=1&container=" + KubeApiPath.encodeQueryValue(container));
                NodeReport report = log instanceof KubeResponse.SuccessResponse successResponse
                        ? NodeReport.read(successResponse.object())
                        : null;
                return report == null ? null : inOwnTime.apply(report);
            }
        }
        return null;
    }

    /** Returns which image the kubelet cannot get for a pod that has not ended; null for none. */
    private static @Nullable String findImageProblem(List<KubeObject> pods) {
        for (KubeObject pod : pods) {
            for (KubeObject container : hasEnded(pod) || pod.isDeleting() ? List.<KubeObject>of() : containers(pod)) {
                String reason = container.text("state", "waiting", "reason");
                if (reason != null && IMAGE_PROBLEMS.contains(reason)) {
                    String message = container.text("state", "waiting", "message");
                    return "image '" + container.text("image") + "' of container " + container.text("name")
                            + " cannot be pulled to node " + pod.text("spec", "nodeName") + ": " + reason
                            + (message == null ? "" : ": " + RedactedText.redact(message, MAX_KUBELET_MESSAGE))
                            + "; correct the image in the UpgradePlan of the next attempt, or let the node reach its registry";
                }
            }
        }
        return null;
    }

    private static List<KubeObject> containers(KubeObject pod) {
        List<KubeObject> containers = new ArrayList<>(pod.list("status", "initContainerStatuses"));
        containers.addAll(pod.list("status", "containerStatuses"));
        return containers;
    }

    private static @Nullable String runningContainer(KubeObject pod) {
        for (KubeObject container : containers(pod)) {
            if (container.has("state", "running")) {
                return container.text("name");
            }
        }
        return null;
    }

    private @Nullable String readNamespaceProblem() throws ClusterReadException {
        KubeObject namespace = read(
                "Namespace " + plan.jobNamespace(), KubeApiPath.clusterScopedObject("namespaces", plan.jobNamespace()));
        if (namespace == null) {
            return "does not exist";
        }
        return "privileged".equals(namespace.label(PRIVILEGED))
                ? null
                : "has no label " + PRIVILEGED + "=privileged, so it may reject the upgrade's pods";
    }

    private @Nullable KubeObject read(String what, String path) throws ClusterReadException {
        KubeResponse response = cluster.get(path);
        if (response instanceof KubeResponse.SuccessResponse successResponse) {
            return successResponse.object();
        }
        if (response.isMissing()) {
            return null;
        }
        throw new ClusterReadException(what + " of cluster " + nodeUpgrade.clusterName() + " cannot be read", response);
    }

    private List<KubeObject> listPods(String path, String selector) throws ClusterReadException {
        List<KubeObject> pods = new ArrayList<>();
        String from = "";
        do {
            KubeResponse page =
                    cluster.listPage(path, "&labelSelector=" + KubeApiPath.encodeQueryValue(selector), from);
            if (!(page instanceof KubeResponse.SuccessResponse successResponse)) {
                throw new ClusterReadException(
                        "pods of cluster " + nodeUpgrade.clusterName() + " cannot be read", page);
            }
            pods.addAll(successResponse.object().list("items"));
            String next = successResponse.object().text("metadata", "continue");
            from = next == null ? "" : next;
        } while (!from.isEmpty() && pods.size() < MAX_PODS);
        return pods;
    }
}
