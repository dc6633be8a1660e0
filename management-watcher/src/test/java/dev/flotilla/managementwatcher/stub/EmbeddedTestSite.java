package dev.flotilla.managementwatcher.stub;

import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.kubernetes.SimApiServer;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A site on an embedded management cluster that is reached over HTTPS. */
public final class EmbeddedTestSite extends WatchedTestSite {
    private static final String NAMESPACE = "fleet";
    private static final double SPEED = 300;

    private final Vertx vertx;
    private final EmbeddedFleet fleet;

    private EmbeddedTestSite(String bootstrap, String site, Path kubeconfig, Vertx vertx, EmbeddedFleet fleet)
            throws Exception {
        super(bootstrap, site, kubeconfig, NAMESPACE);
        this.vertx = vertx;
        this.fleet = fleet;
    }

    /** Starts a site of clusters with three control-plane machines and some workers each. */
    public static EmbeddedTestSite start(String bootstrap, String site, int clusters, int workers, Path folder)
            throws Exception {
        Vertx vertx = Vertx.vertx();
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        EmbeddedFleetSpec even = EmbeddedFleetSpec.evenSites(1, clusters, 3, workers, 1, SPEED);
        EmbeddedFleetSpec plan = new EmbeddedFleetSpec(
                List.of(new EmbeddedFleetSpec.EmbeddedSiteSpec(
                        site, even.sites().getFirst().clusters())),
                1,
                SPEED);
        EmbeddedFleet fleet =
                get(EmbeddedFleet.start(vertx, plan, k8sd.key(), k8sd.certificate(), authority.certificate()));
        Path kubeconfig = folder.resolve(site + ".kubeconfig");
        Files.writeString(kubeconfig, Objects.requireNonNull(fleet.kubeconfigs().get(site)));
        return new EmbeddedTestSite(bootstrap, site, kubeconfig, vertx, fleet);
    }

    /** Changes objects of the management cluster. */
    public void changeObjects(Consumer<ClusterObjectStore> change) throws Exception {
        get(fleet.runOnEventLoop(() -> {
            change.accept(management().store());
            return true;
        }));
    }

    public SimApiServer management() {
        return fleet.clusters().getFirst().management();
    }

    @Override
    public void close() {
        super.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
