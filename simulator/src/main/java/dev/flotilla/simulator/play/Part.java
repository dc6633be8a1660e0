package dev.flotilla.simulator.play;

import java.util.List;
import java.util.Locale;

/** The parts of Flotilla and its surroundings. The labels are the same in options and in JSON. */
public enum Part {
    BROKER,
    ORCHESTRATOR,
    AUDITOR,
    WORKER,
    WATCHER,
    KUBERNETES,
    K8SD;

    /** Those that this version has only as simulations: all. */
    public static final List<Part> SIMULATED = List.of(values());

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
