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

/** Empties a node through the eviction API, so that disruption budgets hold. Tries again what they forbid, until its time is up. */
public final class NodeDrainer {
    private static final int MOST = 2_500;
    private static final int MOST_TOLD = 5;
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
     * Empties it. Null once it is empty; else what is in the way.
     *
     * @param until when it gives up, on the clock of nanoseconds
     * @param halt is counted down where nobody wants it any more
     * @param drains is run once where pods have to go first
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
                return "the drain is not done in time: " + inTheWay;
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
     * What came of evicting.
     *
     * @param inTheWay pods that are still there
     * @param never a pod that cannot be evicted, however long one waits; null where there is none
     */
    private record EvictionRound(String inTheWay, @Nullable String never) {}

    /** Evicts what is due, and says what is in the way then. */
    private EvictionRound evict(DrainPlan plan) {
        List<String> told = new ArrayList<>();
        for (KubeObject pod : plan.evict()) {
            KubeResponse reply = api.createObject(
                    KubeApiPath.coreObject(pod.namespace(), "pods", pod.name()) + "/eviction", eviction(pod));
            if (!(reply instanceof KubeResponse.SuccessResponse) && !reply.isMissing()) {
                told.add(named(pod) + " (" + reply.problem() + ")");
            }
            if (isFinal(reply)) {
                return new EvictionRound("", named(pod) + " cannot be evicted: " + reply.problem());
            }
        }
        if (told.isEmpty()) {
            plan.awaited().forEach(pod -> told.add(named(pod)));
        }
        List<String> some = told.subList(0, Math.min(MOST_TOLD, told.size()));
        String more = told.size() > MOST_TOLD ? " and " + (told.size() - MOST_TOLD) + " more" : "";
        return new EvictionRound(String.join(", ", some) + more, null);
    }

    /**
     * Whether waiting does not help. A budget says 429 until it allows it; 500 is what an API server says of a pod with two
     * budgets, as kubectl takes it. What is said of the API server itself passes, and so does a namesake of the pod.
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

    /** Of this very pod: a namesake may run elsewhere by now. */
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
