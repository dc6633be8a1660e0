package dev.flotilla.cli;

/**
 * Libraries that not every class path of this program has: the image of a process has those of its process alone, and no image of
 * {@code deploy/images} can start a broker. One class shows whether a library is there.
 */
enum CommandLibrary {
    BROKER("dev.flotilla.testkit.kafka.LocalKafka"),
    /** The commands about a fleet use most of the other libraries too, which come with this one. */
    SIMULATOR("dev.flotilla.simulator.run.SimulationRunner"),
    ORCHESTRATOR("dev.flotilla.orchestrator.Main"),
    MANAGEMENT_WATCHER("dev.flotilla.managementwatcher.Main"),
    NODE_WORKER("dev.flotilla.nodeworker.Main"),
    NODE_UPGRADER("dev.flotilla.nodeupgrader.Main"),
    CLUSTER_API("dev.flotilla.clusterapi.Main"),
    CAMPAIGN_CONTROLLER("dev.flotilla.campaigncontroller.Main");

    private final String className;

    CommandLibrary(String className) {
        this.className = className;
    }

    boolean isPresent(ClassLoader classPath) {
        return classPath.getResource(className.replace('.', '/') + ".class") != null;
    }
}
