package dev.flotilla.cli.demo;

import java.util.List;
import java.util.Locale;

/** The parts of Flotilla and its surroundings. The labels are the same in options and in JSON. */
enum Part {
    BROKER,
    ORCHESTRATOR,
    AUDITOR,
    WORKER,
    WATCHER,
    KUBERNETES,
    K8SD;

    /** Those that run as they are, each a process. */
    static final List<Part> REAL = List.of(BROKER, ORCHESTRATOR, AUDITOR, WORKER);

    /** Those that this version has only as simulations: all in one process; the APIs speak HTTP. */
    static final List<Part> SIMULATED = List.of(WATCHER, KUBERNETES, K8SD);

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> labels(List<Part> parts) {
        return parts.stream().map(Part::label).toList();
    }
}
