package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.CANARY;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.nodeworker.k8sd.K8sdRoute;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Every secret of the fixture contains a canary, which no result, exception or {@code toString} may show. */
class SecretLeakIT {
    private static final CertificatePin PIN = new CertificatePin("ab".repeat(32));

    private static String textOf(Callable<?> action) {
        try {
            Object result = action.call();
            return String.valueOf(result instanceof Future<?> future ? done(future) : result);
        } catch (Exception e) {
            StringWriter all = new StringWriter();
            e.printStackTrace(new PrintWriter(all, true));
            return all.toString();
        }
    }

    /** The results of all methods of a node upgrader. */
    private static List<String> allResults(TwoClusterFixture world) {
        NodeUpgrader nodeUpgrader = world.worker(7, "0/a");
        MachineRoutes routes = MachineRoutes.ofWorker(world);
        return List.of(
                textOf(() -> nodeUpgrader.inspectNode(null)),
                textOf(() -> nodeUpgrader.setGuards(TwoClusterFixture.NOW.plusSeconds(60), () -> {})),
                textOf(nodeUpgrader::checkPreconditions),
                textOf(() -> routes.pinCertificate(PIN)),
                textOf(routes::findRoute),
                textOf(() -> world.successor(7, "0/a").inspectNode(null)),
                textOf(nodeUpgrader::collectEvidence),
                textOf(nodeUpgrader::cleanUp),
                nodeUpgrader.toString());
    }

    /** The positive control: the secrets are there, are served, and are used. */
    @Test
    void secretsAreReadAndUsed() throws Exception {
        try (TwoClusterFixture world = new TwoClusterFixture()) {
            List<String> results = allResults(world);
            assertThat(results)
                    .as("all goes well")
                    .startsWith(
                            String.valueOf(new NodeInspection.ObservedNode("100", "v1.34.1", true, false)),
                            "null",
                            "null",
                            "null")
                    .noneMatch(text -> text.contains("Exception"));
            K8sdRoute k8sdRoute = MachineRoutes.ofWorker(world).findRoute();
            assertThat(k8sdRoute)
                    .isInstanceOfSatisfying(
                            K8sdRoute.TrustedRoute.class,
                            trustedRoute ->
                                    assertThat(trustedRoute.token().reveal()).isEqualTo(CANARY));
            assertThat(world.management.asked())
                    .contains("GET " + SECRETS + "blue-kubeconfig", "GET " + SECRETS + "blue-token");
            assertThat(world.management.served())
                    .as("a canary that is found where it is")
                    .contains(Base64.getEncoder().encodeToString(CANARY.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void noResultOfASuccessShowsASecret() throws Exception {
        try (TwoClusterFixture world = new TwoClusterFixture()) {
            assertThat(allResults(world)).noneMatch(text -> text.contains(CANARY));
        }
    }

    @Test
    void noResultShowsAnInvalidSecret() throws Exception {
        for (String broken : List.of(CANARY, "a: [" + CANARY, "{\"users\": \"" + CANARY + "\"}", "\u0000" + CANARY)) {
            try (TwoClusterFixture world = new TwoClusterFixture()) {
                world.management.put(SECRETS + "blue-kubeconfig", TwoClusterFixture.secret("value", broken));
                world.management.put(SECRETS + "blue-token", TwoClusterFixture.secret(CANARY, broken));
                world.management.put(SECRETS + "blue-flotilla-pins", TwoClusterFixture.secret("m-1", broken));
                world.management.put(TwoClusterFixture.PINS, TwoClusterFixture.pins("m-1", broken));
                assertThat(allResults(world)).noneMatch(text -> text.contains(CANARY));
            }
        }
    }

    @Test
    void noResultOfAFailureShowsASecret() throws Exception {
        try (TwoClusterFixture world = new TwoClusterFixture()) {
            world.workload.expect("another");
            assertThat(allResults(world)).noneMatch(text -> text.contains(CANARY));
            world.workload.close();
            assertThat(allResults(world)).noneMatch(text -> text.contains(CANARY));
        }
    }
}
