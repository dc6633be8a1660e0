package dev.flotilla.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The parts of Flotilla and its surroundings. The labels are the same in options and in JSON. */
enum DemoComponent {
    BROKER,
    ORCHESTRATOR,
    AUDITOR,
    WORKER,
    WATCHER,
    /** The APIs of management clusters and, where these are simulated too, of workload clusters. */
    KUBERNETES,
    /** The APIs of workload clusters, where only these are simulated. */
    WORKLOAD_KUBERNETES,
    K8SD;

    private static final List<DemoComponent> OURS = List.of(BROKER, ORCHESTRATOR, AUDITOR, WORKER, WATCHER);

    /** Those that run as they are, each a process. */
    static List<String> real(DemoSpec spec) {
        List<DemoComponent> real = new ArrayList<>(OURS);
        if (spec.realKubernetes()) {
            real.add(KUBERNETES);
        }
        return labels(real);
    }

    /** Those that are simulations, all in one process. */
    static List<String> simulated(DemoSpec spec) {
        return labels(List.of(spec.realKubernetes() ? WORKLOAD_KUBERNETES : KUBERNETES, K8SD));
    }

    private static List<String> labels(List<DemoComponent> parts) {
        return parts.stream()
                .map(demoComponent ->
                        demoComponent.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }
}
