package dev.flotilla.testkit.sites;

import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.testkit.cert.Authority;
import dev.flotilla.testkit.cert.Identity;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Simulated sites whose machines are reached as real ones are: through Kubernetes APIs over HTTP and k8sd over HTTPS. Their
 * watchers are simulated; workers there are none.
 */
public final class EmbeddedSites {
    /** The file that says where all k8sd listen. */
    public static final String K8SD = "k8sd";

    private static final String KUBECONFIG = ".kubeconfig";

    private EmbeddedSites() {}

    /** The file by which a site's management cluster is reached. */
    public static String kubeconfig(String site) {
        return site + KUBECONFIG;
    }

    /**
     * Starts them.
     *
     * @param folder gets the kubeconfigs and the address of k8sd
     */
    public static SimulatedSites start(String bootstrap, SitesSpec spec, InetSocketAddress listen, Path folder)
            throws IOException, InterruptedException {
        Authority authority = Authority.create("sites");
        Identity k8sd = authority.issue("k8sd");
        Vertx vertx = Vertx.vertx();
        EmbeddedFleet fleet = EmbeddedFleet.start(
                        vertx, new SitesFleet(spec).plan(), k8sd.key(), k8sd.certificate(), authority.certificate())
                .await();
        for (Map.Entry<String, String> each : fleet.kubeconfigs().entrySet()) {
            Files.writeString(folder.resolve(kubeconfig(each.getKey())), each.getValue());
        }
        Files.writeString(folder.resolve(K8SD), "127.0.0.1:" + fleet.k8sdPort());
        return SimulatedSites.around(vertx, fleet, bootstrap, spec, listen);
    }
}
