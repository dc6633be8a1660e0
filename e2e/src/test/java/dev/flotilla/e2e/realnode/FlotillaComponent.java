package dev.flotilla.e2e.realnode;

/** The parts of Flotilla that upgrade real nodes, each a process. */
public enum FlotillaComponent {
    ORCHESTRATOR("orchestrator", "dev.flotilla.orchestrator.Main"),
    WATCHER("management-watcher", "dev.flotilla.managementwatcher.Main"),
    WORKER("node-worker", "dev.flotilla.nodeworker.Main"),
    NODE_UPGRADER("node-upgrader", "dev.flotilla.nodeupgrader.Main");

    private final String label;
    private final String main;

    FlotillaComponent(String label, String main) {
        this.label = label;
        this.main = main;
    }

    String main() {
        return main;
    }

    @Override
    public String toString() {
        return label;
    }
}
