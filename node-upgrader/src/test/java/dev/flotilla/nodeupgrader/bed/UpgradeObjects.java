package dev.flotilla.nodeupgrader.bed;

import dev.flotilla.testkit.kube.KubeCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Manifests and paths of Flotilla's custom resources in namespace {@code fleet}. */
public final class UpgradeObjects {
    public static final String FLEET = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Path DEPLOY = Path.of("../deploy");
    private static final List<String> KINDS =
            List.of("nodeupgrades", "nodeupgradetemplates", "upgradeplans", "upgradetasks");

    private UpgradeObjects() {}

    public static String read(String file) {
        try {
            return Files.readString(DEPLOY.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Installs the CRDs of {@code deploy/crds} and creates the namespace. */
    public static void install(KubeCluster cluster) {
        cluster.apply("/api/v1/namespaces/fleet", "{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
        KINDS.forEach(kind -> cluster.apply(DEFINITIONS + kind + ".flotilla.dev", read("crds/" + kind + ".yaml")));
    }

    /** Returns a spec of a NodeUpgrade of machine {@code w-1} on node {@code w-1}. */
    public static String spec(String more) {
        return """
                {clusterName: blue, machine: {name: w-1, uid: 11-22}, node: w-1, role: worker, target: version=v1.36.3,
                 attemptId: 7, deadline: "2099-01-01T00:00:00Z", kubeconfigSecret: blue-kubeconfig, plan: example%s}""".formatted(more.isEmpty() ? "" : ", " + more);
    }

    public static String nodeUpgrade(String name, String spec) {
        return "{apiVersion: flotilla.dev/v1alpha1, kind: NodeUpgrade, metadata: {name: %s, namespace: fleet}, spec: %s}"
                .formatted(name, spec);
    }

    public static String plan(String name, String steps) {
        return "{apiVersion: flotilla.dev/v1alpha1, kind: UpgradePlan, metadata: {name: %s, namespace: fleet}, spec: {steps: %s}}"
                .formatted(name, steps);
    }

    public static String task(String name, String spec) {
        return "{apiVersion: flotilla.dev/v1alpha1, kind: UpgradeTask, metadata: {name: %s, namespace: fleet}, spec: %s}"
                .formatted(name, spec);
    }
}
