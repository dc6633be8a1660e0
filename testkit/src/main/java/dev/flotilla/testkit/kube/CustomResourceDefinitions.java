package dev.flotilla.testkit.kube;

import dev.flotilla.kube.FlotillaResourceDefinitions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The CustomResourceDefinitions of Cluster API, with its kubeadm provider, and Canonical's providers, as far as Flotilla refers to them. */
final class CustomResourceDefinitions {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Duration SERVING_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    /** The names, plural and group; each has a file in {@code crd}. */
    static final List<String> ALL = List.of(
            "clusters.cluster.x-k8s.io",
            "machines.cluster.x-k8s.io",
            "machinesets.cluster.x-k8s.io",
            "machinedeployments.cluster.x-k8s.io",
            "machinepools.cluster.x-k8s.io",
            "machinedrainrules.cluster.x-k8s.io",
            "ck8scontrolplanes.controlplane.cluster.x-k8s.io",
            "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
            "ck8sconfigs.bootstrap.cluster.x-k8s.io");

    private CustomResourceDefinitions() {}

    static void install(ApiServerClient apiServerClient) {
        for (String name : ALL) {
            apiServerClient.apply(DEFINITIONS + name, KubeProcessFolder.text("crd/" + name + ".yaml"));
        }
        for (String name : ALL) {
            String plural = name.substring(0, name.indexOf('.'));
            String group = name.substring(name.indexOf('.') + 1);
            await(apiServerClient, "/apis/" + group + "/v1beta2/" + plural);
        }
    }

    /** Installs the CustomResourceDefinitions of Flotilla, from {@code deploy/crds}. */
    static void installFlotilla(ApiServerClient apiServerClient) {
        FlotillaResourceDefinitions.manifests()
                .forEach((name, manifest) -> apiServerClient.apply(DEFINITIONS + name, manifest));
        FlotillaResourceDefinitions.manifests()
                .keySet()
                .forEach(name ->
                        await(apiServerClient, "/apis/flotilla.dev/v1alpha1/" + name.substring(0, name.indexOf('.'))));
    }

    /** Waits until a kind is served, after its definition was applied. */
    static void await(ApiServerClient apiServerClient, String path) {
        long since = System.nanoTime();
        while (!apiServerClient.canRead(path)) {
            if (System.nanoTime() - since > SERVING_TIMEOUT.toNanos()) {
                throw new IllegalStateException(path + " is not served " + SERVING_TIMEOUT.toSeconds()
                        + " s after its CustomResourceDefinition was applied");
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
