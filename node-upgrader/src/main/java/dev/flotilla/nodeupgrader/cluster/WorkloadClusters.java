package dev.flotilla.nodeupgrader.cluster;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.PlanLookup;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup;
import dev.flotilla.nodeupgrader.job.UpgradeJobFactory;
import dev.flotilla.nodeupgrader.report.NodeReport;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The workload clusters: observes them and performs decisions in them. A write that was done already counts as done. */
public final class WorkloadClusters {
    private final WorkloadClients clients;
    private final String flotillaNamespace;
    private final InstantSource clock;
    private final LongSupplier nanos;

    /** Since when the cluster of a NodeUpgrade cannot be read, by the NodeUpgrade's namespace and name. */
    private final Map<String, Long> unreadableSince = new ConcurrentHashMap<>();

    /** The pod that reads the result of a NodeUpgrade, by the NodeUpgrade's namespace and name. */
    private final Map<String, SeenPod> resultPods = new ConcurrentHashMap<>();

    /** The client by which the cluster of a NodeUpgrade was observed last, by the NodeUpgrade's namespace and name. */
    private final Map<String, KubeApiClient> observedBy = new ConcurrentHashMap<>();

    /** The latest report of the node of a NodeUpgrade, by the NodeUpgrade's namespace and name. */
    private final Map<String, SeenReport> reports = new ConcurrentHashMap<>();

    /**
     * When a report was seen first.
     *
     * @param at by the node's clock
     * @param seenAt by this process's clock
     */
    private record SeenReport(Instant at, Instant seenAt) {}

    /** A pod, and when it was seen first. */
    private record SeenPod(String uid, long since) {}

    /**
     * @param flotillaNamespace the namespace of Flotilla's own processes
     * @param nanos a monotonic clock
     */
    public WorkloadClusters(
            WorkloadClients clients, String flotillaNamespace, InstantSource clock, LongSupplier nanos) {
        this.clients = clients;
        this.clock = clock;
        this.flotillaNamespace = flotillaNamespace;
        this.nanos = nanos;
    }

    /** Observes what the cluster shows of a NodeUpgrade. */
    public UpgradeObservation observe(NodeUpgrade nodeUpgrade, UpgradePlan plan) {
        String key = nodeUpgrade.toString();
        switch (clients.open(nodeUpgrade, plan.jobNamespace())) {
            case WorkloadClients.ClientResult.ClientUnavailable unavailable -> {
                return unreadable(nodeUpgrade, plan, unavailable.problem(), unavailable.forbidden());
            }
            case WorkloadClients.ClientResult.ClientOpened opened -> {
                try {
                    UpgradeObservation read = new WorkloadObserver(
                                    opened.client(),
                                    nodeUpgrade,
                                    plan,
                                    flotillaNamespace,
                                    pod -> ageOfResultPod(key, pod),
                                    report -> inOwnTime(key, report))
                            .observe();
                    unreadableSince.remove(key);
                    observedBy.put(key, opened.client());
                    return read;
                } catch (ClusterReadException e) {
                    return unreadable(nodeUpgrade, plan, String.valueOf(e.getMessage()), e.isForbidden());
                }
            }
        }
    }

    private Duration ageOfResultPod(String key, String uid) {
        long now = nanos.getAsLong();
        SeenPod seen = resultPods.compute(
                key, (same, before) -> before != null && before.uid().equals(uid) ? before : new SeenPod(uid, now));
        return Duration.ofNanos(now - seen.since());
    }

    /** A node's clock may be wrong, so that its time says only whether a report is another one. */
    private NodeReport inOwnTime(String key, NodeReport report) {
        Instant now = clock.instant();
        return report.withTime(reports.compute(
                        key,
                        (same, before) -> before != null && before.at().equals(report.at())
                                ? before
                                : new SeenReport(report.at(), now))
                .seenAt());
    }

    private UpgradeObservation unreadable(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, String problem, boolean forbidden) {
        long now = nanos.getAsLong();
        long since = unreadableSince.computeIfAbsent(nodeUpgrade.toString(), absent -> now);
        // One that has not begun ends without an answer to this.
        boolean clusterDeleted =
                nodeUpgrade.status().phase() == NodeUpgradePhase.RUNNING && clients.isClusterDeleted(nodeUpgrade);
        return new UpgradeObservation(
                new PlanLookup.PlanFound(plan),
                new WorkloadLookup.WorkloadUnreadable(
                        problem, forbidden, clusterDeleted, Duration.ofNanos(now - since)));
    }

    /** Performs a decision about the workload cluster. Returns the problem; null if it is done. */
    public @Nullable String perform(NodeUpgrade nodeUpgrade, UpgradePlan plan, UpgradeDecision decision) {
        return switch (clients.open(nodeUpgrade, plan.jobNamespace())) {
            case WorkloadClients.ClientResult.ClientUnavailable unavailable -> unavailable.problem();
            case WorkloadClients.ClientResult.ClientOpened opened ->
                // What was decided is about the cluster that was observed, and another may have its name by now.
                opened.client() == observedBy.get(nodeUpgrade.toString())
                        ? problemOf(decision, send(opened.client(), nodeUpgrade, plan, decision))
                        : "the connection to cluster " + nodeUpgrade.clusterName()
                                + " was replaced, so the cluster is observed again";
        };
    }

    /** Deletes the Job of a NodeUpgrade, with its pods. Returns the problem; null if there is none any more. */
    public @Nullable String deleteJob(NodeUpgrade nodeUpgrade, String jobNamespace) {
        if (clients.isClusterDeleted(nodeUpgrade)) {
            return null;
        }
        return switch (clients.open(nodeUpgrade, jobNamespace)) {
            case WorkloadClients.ClientResult.ClientUnavailable unavailable -> unavailable.problem();
            case WorkloadClients.ClientResult.ClientOpened opened -> {
                KubeResponse response = opened.client()
                        .deleteObject(
                                KubeApiPath.groupObject("batch/v1", jobNamespace, "jobs", nodeUpgrade.name()),
                                deleteOptions()
                                        .put("propagationPolicy", "Background")
                                        .build());
                yield response instanceof KubeResponse.SuccessResponse || response.isMissing()
                        ? null
                        : response.problem();
            }
        };
    }

    private static JsonObjectReader.Builder deleteOptions() {
        return new JsonObjectReader.Builder().put("apiVersion", "v1").put("kind", "DeleteOptions");
    }

    private static @Nullable KubeResponse send(
            KubeApiClient cluster, NodeUpgrade nodeUpgrade, UpgradePlan plan, UpgradeDecision decision) {
        String jobs = KubeApiPath.groupObject("batch/v1", plan.jobNamespace(), "jobs");
        String job = KubeApiPath.groupObject("batch/v1", plan.jobNamespace(), "jobs", nodeUpgrade.name());
        String pods = KubeApiPath.coreObject(plan.jobNamespace(), "pods");
        return switch (decision) {
            case UpgradeDecision.CreateJob createJob ->
                cluster.createObject(jobs, UpgradeJobFactory.buildJob(nodeUpgrade, plan, createJob.suspended()));
            case UpgradeDecision.SuspendJob suspendJob ->
                cluster.mergePatch(
                        job,
                        new JsonObjectReader.Builder()
                                .put(
                                        "spec",
                                        new JsonObjectReader.Builder()
                                                .put("suspend", true)
                                                .build())
                                .build());
            case UpgradeDecision.CreateResultPod createResultPod -> {
                KubeResponse read = cluster.get(job);
                yield read instanceof KubeResponse.SuccessResponse successResponse
                        ? cluster.createObject(
                                pods,
                                UpgradeJobFactory.buildResultPod(
                                        nodeUpgrade,
                                        plan,
                                        successResponse.object().uid()))
                        : read;
            }
            case UpgradeDecision.DeleteResultPod deleteResultPod ->
                cluster.deleteObject(
                        KubeApiPath.coreObject(
                                plan.jobNamespace(), "pods", UpgradeJobFactory.resultPodName(nodeUpgrade)),
                        // It only reads files, so nothing has to be awaited.
                        deleteOptions().put("gracePeriodSeconds", 0).build());
            case UpgradeDecision.WriteStatus writeStatus -> null;
            case UpgradeDecision.HoldObject holdObject -> null;
            case UpgradeDecision.ReleaseObject releaseObject -> null;
            case UpgradeDecision.WaitForChange waitForChange -> null;
            case UpgradeDecision.Finished finished -> null;
        };
    }

    private static @Nullable String problemOf(UpgradeDecision decision, @Nullable KubeResponse response) {
        if (response == null
                || response instanceof KubeResponse.SuccessResponse
                || (response.isMissing() && !(decision instanceof UpgradeDecision.CreateJob))) {
            return null;
        }
        boolean existsAlready = response instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == KubeResponse.CONFLICT;
        return existsAlready ? null : response.problem();
    }

    /** Forgets a NodeUpgrade that has ended. */
    public void forget(String namespaceAndName) {
        unreadableSince.remove(namespaceAndName);
        resultPods.remove(namespaceAndName);
        observedBy.remove(namespaceAndName);
        reports.remove(namespaceAndName);
    }
}
