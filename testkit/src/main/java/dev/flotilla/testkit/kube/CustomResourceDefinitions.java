package dev.flotilla.testkit.kube;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The kinds of Cluster API and of Canonical's providers, as far as anything of ours refers to them. */
final class CustomResourceDefinitions {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Duration SERVED_WITHIN = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(50);

    /** Each a file in {@code crd}, by its plural and its group. */
    static final List<String> ALL = List.of(
            "clusters.cluster.x-k8s.io",
            "machines.cluster.x-k8s.io",
            "machinesets.cluster.x-k8s.io",
            "machinedeployments.cluster.x-k8s.io",
            "machinepools.cluster.x-k8s.io",
            "machinedrainrules.cluster.x-k8s.io",
            "ck8scontrolplanes.controlplane.cluster.x-k8s.io",
            "ck8sconfigs.bootstrap.cluster.x-k8s.io");

    private CustomResourceDefinitions() {}

    static void install(ApiServerClient apiServerClient) {
        for (String each : ALL) {
            apiServerClient.apply(DEFINITIONS + each, KubeProcessFolder.text("crd/" + each + ".yaml"));
        }
        for (String each : ALL) {
            String plural = each.substring(0, each.indexOf('.'));
            String group = each.substring(each.indexOf('.') + 1);
            await(apiServerClient, "/apis/" + group + "/v1beta2/" + plural);
        }
    }

    private static void await(ApiServerClient apiServerClient, String path) {
        long since = System.nanoTime();
        while (!apiServerClient.canRead(path)) {
            if (System.nanoTime() - since > SERVED_WITHIN.toNanos()) {
                throw new IllegalStateException(
                        path + " is not served " + SERVED_WITHIN.toSeconds() + " s after its kind");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
