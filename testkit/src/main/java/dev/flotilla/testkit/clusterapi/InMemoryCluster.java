package dev.flotilla.testkit.clusterapi;

import dev.flotilla.testkit.kube.KubeManifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A cluster that Cluster API makes, whose machines exist in memory: a KubeadmControlPlane {@code NAME-control-plane} and a
 * MachineDeployment {@code NAME-workers}.
 *
 * @param version the version of Kubernetes, such as {@code v1.35.0}
 */
public record InMemoryCluster(String namespace, String name, String version, int controlPlanes, int workers) {
    private static final String RESOURCE = "in-memory-cluster.yaml";

    /** Returns the objects to apply. */
    public List<KubeManifest> manifests() {
        String text = template()
                .replace("NAME", name)
                .replace("VERSION", version)
                .replace("CONTROL_PLANES", Integer.toString(controlPlanes))
                .replace("WORKERS", Integer.toString(workers));
        return KubeManifest.parseAll(text).stream()
                .map(each -> each.inNamespace(namespace))
                .toList();
    }

    private static String template() {
        try (InputStream in = InMemoryCluster.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("there is no resource " + RESOURCE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + RESOURCE, e);
        }
    }
}
