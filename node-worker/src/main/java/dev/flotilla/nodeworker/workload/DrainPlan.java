package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * What is next in emptying a node.
 *
 * @param evict pods to evict now
 * @param awaited pods that must be gone or finished, those among them
 */
record DrainPlan(List<KubeObject> evict, List<KubeObject> awaited) {

    /** Of the pods on a node. */
    static DrainPlan of(List<KubeObject> pods, List<DrainRule> rules, Function<String, KubeObject> namespaceLabels) {
        record Due(KubeObject pod, PodFate fate) {}
        List<Due> due = new ArrayList<>();
        for (KubeObject pod : pods) {
            PodFate fate = PodFate.of(pod, rules, namespaceLabels.apply(pod.namespace()));
            if (!(fate instanceof PodFate.Stay)) {
                due.add(new Due(pod, fate));
            }
        }
        due.sort(Comparator.comparing(
                one -> one.pod().namespace() + "/" + one.pod().name()));
        long turn = due.stream().mapToLong(one -> one.fate().turn()).min().orElse(0);
        return new DrainPlan(
                due.stream()
                        .filter(one -> one.fate() instanceof PodFate.Evict evict && evict.order() == turn)
                        .map(Due::pod)
                        .filter(pod -> !pod.isDeleting())
                        .toList(),
                due.stream().map(Due::pod).toList());
    }

    boolean isDone() {
        return awaited.isEmpty();
    }
}
