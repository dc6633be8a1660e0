package dev.flotilla.testkit.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;

/** Clients without retries, so that a test sees the server's response. */
final class KubernetesClients {
    private KubernetesClients() {}

    static KubernetesClient of(Path kubeconfig) {
        return of(config(kubeconfig));
    }

    static KubernetesClient as(Path kubeconfig, String user) {
        return of(new ConfigBuilder(config(kubeconfig))
                .withImpersonateUsername(user)
                .build());
    }

    /** The status code with which a request is rejected. */
    static int rejectionCode(Runnable request) {
        return Assertions.catchThrowableOfType(KubernetesClientException.class, request::run)
                .getCode();
    }

    private static Config config(Path kubeconfig) {
        return new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
                .withRequestRetryBackoffLimit(0)
                .build();
    }

    private static KubernetesClient of(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
