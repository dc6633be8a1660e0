package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeLabelMatcher;
import dev.flotilla.kube.KubeObject;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A MachineDrainRule of Cluster API: what to do with selected pods on selected machines. */
public record MachineDrainRule(KubeObject json) {

    /** Returns the rules for a machine in their order: the first that selects a pod decides. */
    public static List<MachineDrainRule> forMachine(List<KubeObject> rules, KubeObject machine, KubeObject cluster) {
        return rules.stream()
                .sorted(Comparator.comparing(KubeObject::name))
                .map(MachineDrainRule::new)
                .filter(rule -> rule.selectsMachine(machine, cluster))
                .toList();
    }

    private boolean selectsMachine(KubeObject machine, KubeObject cluster) {
        List<KubeObject> selectors = json.list("spec", "machines");
        return selectors.isEmpty()
                || selectors.stream()
                        .anyMatch(selector -> selects(selector, "selector", machine.labels())
                                && selects(selector, "clusterSelector", cluster.labels()));
    }

    /** Whether the rule selects by labels of namespaces. */
    boolean usesNamespaceSelector() {
        return json.list("spec", "pods").stream().anyMatch(selector -> selector.has("namespaceSelector"));
    }

    boolean selectsPod(KubeObject pod, KubeObject namespaceLabels) {
        List<KubeObject> selectors = json.list("spec", "pods");
        return selectors.isEmpty()
                || selectors.stream()
                        .anyMatch(selector -> selects(selector, "selector", pod.labels())
                                && selects(selector, "namespaceSelector", namespaceLabels));
    }

    private static boolean selects(KubeObject selectors, String which, KubeObject labels) {
        return new KubeLabelMatcher(selectors.object(which)).matches(labels);
    }

    /** Returns the action; null for an unknown behaviour. */
    @Nullable
    PodDrainAction podAction() {
        String behavior = json.text("spec", "drain", "behavior");
        Long order = json.number("spec", "drain", "order");
        return switch (behavior == null ? "" : behavior) {
            case "Drain" -> new PodDrainAction.EvictPod(order == null ? 0 : order);
            case "Skip" -> new PodDrainAction.KeepPod();
            case "WaitCompleted" -> new PodDrainAction.AwaitPodEnd();
            default -> null;
        };
    }
}
