package dev.flotilla.testkit.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The components of a test cluster besides its API server.
 *
 * @param controllers the controllers that kube-controller-manager runs; it does not run if there are none
 * @param nodes whether nodes become ready and pods run
 * @param forwardsTo the local port that port-forwards to any pod lead to
 * @param apiServerFlags additional flags, as {@code --name=value}
 */
public record KubeOptions(
        List<String> controllers, boolean nodes, OptionalInt forwardsTo, List<String> apiServerFlags) {

    public KubeOptions {
        controllers = List.copyOf(controllers);
        apiServerFlags = List.copyOf(apiServerFlags);
    }

    /** An API server only, for a management cluster whose controllers are simulated by a test. */
    public static KubeOptions apiServer() {
        return new KubeOptions(List.of(), false, OptionalInt.empty(), List.of());
    }

    /** Adds the status of disruption budgets, garbage collection, and the deletion of namespaces. */
    public KubeOptions withControllers() {
        return withControllers("disruption-controller", "garbage-collector-controller", "namespace-controller");
    }

    /** Adds these controllers, by their names in kube-controller-manager. */
    public KubeOptions withControllers(String... names) {
        return new KubeOptions(List.of(names), nodes, forwardsTo, apiServerFlags);
    }

    /** Adds kubelets: every Node becomes ready, every Pod on a node runs. Port-forwards lead nowhere. */
    public KubeOptions withNodes() {
        return new KubeOptions(controllers, true, forwardsTo, apiServerFlags);
    }

    /** Adds kubelets whose pods forward every port to a local port. */
    public KubeOptions withNodesForwardingTo(int port) {
        return new KubeOptions(controllers, true, OptionalInt.of(port), apiServerFlags);
    }

    /** Adds a flag of the API server. */
    public KubeOptions withApiServerFlag(String flag) {
        List<String> flags = new ArrayList<>(apiServerFlags);
        flags.add(flag);
        return new KubeOptions(controllers, nodes, forwardsTo, flags);
    }
}
