package dev.flotilla.testkit.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a cluster of the test bed consists of, beside its API server.
 *
 * @param controllers of kube-controller-manager that run; without any, it does not
 * @param nodes whether nodes become ready and pods run
 * @param forwardsTo the port of this machine that a port-forward to any pod ends at
 * @param apiServerFlags further flags, as {@code --name=value}
 */
public record KubeOptions(
        List<String> controllers, boolean nodes, OptionalInt forwardsTo, List<String> apiServerFlags) {

    public KubeOptions {
        controllers = List.copyOf(controllers);
        apiServerFlags = List.copyOf(apiServerFlags);
    }

    /** An API server alone: what a management cluster needs whose controllers a test plays. */
    public static KubeOptions apiServer() {
        return new KubeOptions(List.of(), false, OptionalInt.empty(), List.of());
    }

    /** With the status of disruption budgets, garbage collection, and namespaces that can be deleted. */
    public KubeOptions withControllers() {
        return withControllers("disruption-controller", "garbage-collector-controller", "namespace-controller");
    }

    /** With these controllers, by the names that kube-controller-manager has for them. */
    public KubeOptions withControllers(String... names) {
        return new KubeOptions(List.of(names), nodes, forwardsTo, apiServerFlags);
    }

    /** With kubelets: every Node becomes ready, every Pod on one runs. A port-forward has no end. */
    public KubeOptions withNodes() {
        return new KubeOptions(controllers, true, forwardsTo, apiServerFlags);
    }

    /** With kubelets whose pods all hand a port-forward to this port of the loopback, whatever port was asked for. */
    public KubeOptions withNodesForwardingTo(int port) {
        return new KubeOptions(controllers, true, OptionalInt.of(port), apiServerFlags);
    }

    /** With a further flag of the API server. */
    public KubeOptions withApiServerFlag(String flag) {
        List<String> flags = new ArrayList<>(apiServerFlags);
        flags.add(flag);
        return new KubeOptions(controllers, nodes, forwardsTo, flags);
    }
}
