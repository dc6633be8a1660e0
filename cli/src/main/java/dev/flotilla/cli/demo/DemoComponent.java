package dev.flotilla.cli.demo;

import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Components of the demonstration. Options and JSON use the same labels. */
enum DemoComponent {
    BROKER,
    ORCHESTRATOR,
    AUDITOR,
    WORKER,
    WATCHER,
    /** API servers of management clusters and, if these are simulated too, of workload clusters. */
    KUBERNETES,
    /** API servers of workload clusters, if only these are simulated. */
    WORKLOAD_KUBERNETES,
    /** Runs the Jobs of NodeUpgrades. */
    NODE_UPGRADER,
    /** Nodes, with the pods of Jobs. */
    KUBELET,
    K8SD;

    private static final List<DemoComponent> OURS = List.of(BROKER, ORCHESTRATOR, AUDITOR, WORKER, WATCHER);

    /** Labels of the real components, each a process. */
    static List<String> real(DemoSpec spec) {
        List<DemoComponent> real = new ArrayList<>(OURS);
        if (spec.hasNodeUpgrades()) {
            real.add(NODE_UPGRADER);
        }
        if (spec.realKubernetes()) {
            real.add(KUBERNETES);
        }
        return labels(real);
    }

    /** Labels of the simulated components, all in one process. */
    static List<String> simulated(DemoSpec spec) {
        List<DemoComponent> simulated = new ArrayList<>();
        simulated.add(spec.realKubernetes() ? WORKLOAD_KUBERNETES : KUBERNETES);
        if (spec.sites().providers().has(UpgradeProvider.K8SD)) {
            simulated.add(K8SD);
        }
        if (spec.hasNodeUpgrades()) {
            simulated.add(KUBELET);
        }
        return labels(simulated);
    }

    private static List<String> labels(List<DemoComponent> parts) {
        return parts.stream()
                .map(demoComponent ->
                        demoComponent.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }
}
