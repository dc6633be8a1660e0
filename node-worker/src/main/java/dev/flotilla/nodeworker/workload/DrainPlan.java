package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The next step in draining a node.
 *
 * @param evict pods to evict now
 * @param awaited pods that must be deleted or finished, including those to evict
 */
record DrainPlan(List<KubeObject> evict, List<KubeObject> awaited) {

    /** Plans the next step from the pods on a node. */
    static DrainPlan planNext(
            List<KubeObject> pods, List<MachineDrainRule> rules, Function<String, KubeObject> namespaceLabels) {
        record Due(KubeObject pod, PodDrainAction fate) {}
        List<Due> due = new ArrayList<>();
        for (KubeObject pod : pods) {
            PodDrainAction fate = PodDrainAction.actionFor(pod, rules, namespaceLabels.apply(pod.namespace()));
            if (!(fate instanceof PodDrainAction.KeepPod)) {
                due.add(new Due(pod, fate));
            }
        }
        due.sort(Comparator.comparing(
                one -> one.pod().namespace() + "/" + one.pod().name()));
        long turn =
                due.stream().mapToLong(one -> one.fate().evictionOrder()).min().orElse(0);
        return new DrainPlan(
                due.stream()
                        .filter(one ->
                                one.fate() instanceof PodDrainAction.EvictPod evictPod && evictPod.order() == turn)
                        .map(Due::pod)
                        .filter(pod -> !pod.isDeleting())
                        .toList(),
                due.stream().map(Due::pod).toList());
    }

    boolean isDone() {
        return awaited.isEmpty();
    }
}
