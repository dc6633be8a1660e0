package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.CANARY;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.nodeworker.k8sd.CertificatePin;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Every secret in this world holds a canary, and nothing that comes out of it may sing. */
class SecretLeakIT {
    private static final CertificatePin PIN = new CertificatePin("ab".repeat(32));

    private static String told(Supplier<Future<?>> act) {
        try {
            return String.valueOf(done(act.get()));
        } catch (Exception e) {
            StringWriter all = new StringWriter();
            e.printStackTrace(new PrintWriter(all, true));
            return all.toString();
        }
    }

    /** Everything that hands can be asked for. */
    private static List<String> everything(TwoClusterFixture world) {
        List<String> told = new ArrayList<>();
        NodeClient nodeClient = world.worker(7, "0/a");
        told.add(told(() -> nodeClient.inspectNode(null)));
        told.add(told(() -> nodeClient.setGuards(TwoClusterFixture.NOW.plusSeconds(60), () -> {})));
        told.add(told(nodeClient::checkPreconditions));
        told.add(told(() -> nodeClient.pinCertificate(PIN)));
        told.add(told(nodeClient::findRoute));
        told.add(told(nodeClient::takeOverGuards));
        told.add(told(nodeClient::cleanUp));
        told.add(nodeClient.toString());
        return told;
    }

    /** The positive control: the secrets are there, are served, and are what the hands work with. */
    @Test
    void theSecretsAreReadAndUsed() throws Exception {
        try (TwoClusterFixture world = new TwoClusterFixture()) {
            List<String> told = everything(world);
            assertThat(told)
                    .as("all goes well")
                    .startsWith(
                            String.valueOf(new NodeInspection.ObservedNode("100", "v1.34.1", true, false)),
                            "null",
                            "null",
                            "null")
                    .noneMatch(text -> text.contains("Exception"));
            K8sdRoute k8sdRoute = done(world.worker(7, "0/a").findRoute());
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
    void nothingShowsASecretWhileAllGoesWell() throws Exception {
        try (TwoClusterFixture world = new TwoClusterFixture()) {
            assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
        }
    }

    @Test
    void nothingShowsASecretThatIsOfNoUse() throws Exception {
        for (String broken : List.of(CANARY, "a: [" + CANARY, "{\"users\": \"" + CANARY + "\"}", "\u0000" + CANARY)) {
            try (TwoClusterFixture world = new TwoClusterFixture()) {
                world.management.put(SECRETS + "blue-kubeconfig", TwoClusterFixture.secret("value", broken));
                world.management.put(SECRETS + "blue-token", TwoClusterFixture.secret(CANARY, broken));
                world.management.put(SECRETS + "blue-flotilla-pins", TwoClusterFixture.secret("m-1", broken));
                world.management.put(TwoClusterFixture.PINS, TwoClusterFixture.pins("m-1", broken));
                assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
            }
        }
    }

    @Test
    void nothingShowsASecretWhereItIsNotTakenOrNobodyAnswers() throws Exception {
        try (TwoClusterFixture world = new TwoClusterFixture()) {
            world.workload.expect("another");
            assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
            world.workload.close();
            assertThat(everything(world)).noneMatch(text -> text.contains(CANARY));
        }
    }
}
