package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drains a node through the eviction API, so that PodDisruptionBudgets hold. Evictions that they forbid are retried
 * until the timeout.
 */
public final class NodeDrainer {
    private static final int MOST = 2_500;
    private static final int MAX_LISTED = 5;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int INTERNAL_ERROR = 500;

    private final KubeApiClient api;
    private final DrainPolicy policy;
    private final LongSupplier ticks;

    public NodeDrainer(KubeApiClient api, DrainPolicy policy, LongSupplier ticks) {
        this.api = api;
        this.policy = policy;
        this.ticks = ticks;
    }

    /**
     * Drains the node. Returns null once it is drained, else what prevents it.
     *
     * @param until when to give up, on the monotonic clock in nanoseconds
     * @param halt is counted down to stop the drain
     * @param drains called once if pods must be evicted first
     */
    public @Nullable String drainNode(
            String node, List<MachineDrainRule> rules, long until, CountDownLatch halt, Runnable drains)
            throws InterruptedException {
        long end = Math.min(until, ticks.getAsLong() + policy.timeout().toNanos());
        Map<String, KubeObject> namespaces = new HashMap<>();
        if (rules.stream().anyMatch(MachineDrainRule::usesNamespaceSelector)) {
            String problem = readNamespaces(namespaces);
            if (problem != null) {
                return problem;
            }
        }
        KubeObject unknown = new KubeObject(new JsonObjectReader.Builder().build());
        boolean said = false;
        while (true) {
            List<KubeObject> pods = new ArrayList<>();
            String inTheWay = readPods(node, pods);
            if (inTheWay == null) {
                DrainPlan plan = DrainPlan.planNext(pods, rules, name -> namespaces.getOrDefault(name, unknown));
                if (plan.isDone()) {
                    return null;
                }
                if (!said) {
                    said = true;
                    drains.run();
                }
                EvictionRound evictionRound = evict(plan);
                if (evictionRound.never() != null) {
                    return evictionRound.never();
                }
                inTheWay = evictionRound.inTheWay();
            }
            long left = end - ticks.getAsLong();
            if (left <= 0) {
                return "the drain timed out: " + inTheWay;
            }
            if (halt.await(Math.min(left, policy.pause().toNanos()), TimeUnit.NANOSECONDS)) {
                return "the drain was stopped";
            }
        }
    }

    private @Nullable String readNamespaces(Map<String, KubeObject> into) {
        String problem = api.forEachObject(
                "/api/v1/namespaces", "", MOST, namespace -> into.put(namespace.name(), namespace.labels()));
        return problem == null ? null : "the namespaces cannot be listed: " + problem;
    }

    private @Nullable String readPods(String node, List<KubeObject> into) {
        String selector = "&fieldSelector=" + KubeApiPath.encodeQueryValue("spec.nodeName=" + node);
        String problem = api.forEachObject("/api/v1/pods", selector, MOST, into::add);
        return problem == null ? null : "the pods cannot be listed: " + problem;
    }

    /**
     * Result of a round of evictions.
     *
     * @param inTheWay pods that are still there
     * @param never a pod that can never be evicted; null for none
     */
    private record EvictionRound(String inTheWay, @Nullable String never) {}

    /** Evicts the pods that are due, and returns which are still there. */
    private EvictionRound evict(DrainPlan plan) {
        List<String> blocking = new ArrayList<>();
        for (KubeObject pod : plan.evict()) {
            KubeResponse reply = api.createObject(
                    KubeApiPath.coreObject(pod.namespace(), "pods", pod.name()) + "/eviction", eviction(pod));
            if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                blocking.add(named(pod) + " (" + reply.problem() + ")");
            }
            if (isFinal(reply)) {
                return new EvictionRound("", named(pod) + " cannot be evicted: " + reply.problem());
            }
        }
        if (blocking.isEmpty()) {
            plan.awaited().forEach(pod -> blocking.add(named(pod)));
        }
        List<String> some = blocking.subList(0, Math.min(MAX_LISTED, blocking.size()));
        String more = blocking.size() > MAX_LISTED ? " and " + (blocking.size() - MAX_LISTED) + " more" : "";
        return new EvictionRound(String.join(", ", some) + more, null);
    }

    /**
     * Whether retrying does not help. A budget that does not allow an eviction yet leads to 429; 500 means a pod with
     * two budgets, as kubectl treats it. Errors of the API server itself pass, and so does a pod of the same name.
     */
    private static boolean isFinal(KubeResponse reply) {
        return reply instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() <= INTERNAL_ERROR
                && errorResponse.status() != TOO_MANY_REQUESTS
                && !errorResponse.isConflict()
                && !errorResponse.isMissing();
    }

    private static String named(KubeObject pod) {
        return "pod " + pod.namespace() + "/" + pod.name();
    }

    /** Builds the eviction of exactly this pod: another one of its name may run elsewhere by now. */
    private JsonObjectReader eviction(KubeObject pod) {
        JsonObjectReader.Builder options = new JsonObjectReader.Builder()
                .put(
                        "preconditions",
                        new JsonObjectReader.Builder().put("uid", pod.uid()).build());
        Duration grace = policy.grace();
        if (grace != null) {
            options.put("gracePeriodSeconds", grace.toSeconds());
        }
        return new JsonObjectReader.Builder()
                .put("apiVersion", "policy/v1")
                .put("kind", "Eviction")
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("name", pod.name())
                                .put("namespace", pod.namespace())
                                .build())
                .put("deleteOptions", options.build())
                .build();
    }
}
