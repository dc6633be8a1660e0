package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.MACHINE;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.k8sd.CertificatePin;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.schemas.id.MachineKey;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What hands know of a node's k8sd: where it listens, what it shows, what it wants to see. */
class K8sdRouteResolverIT {
    private static final CertificatePin PIN = new CertificatePin("ab".repeat(32));
    private static final String CONFIG =
            "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/fleet/ck8sconfigs/m-1-boot";

    private TwoClusterFixture world;
    private NodeClient nodeClient;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        nodeClient = world.worker(7, "0/a");
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    @Test
    void findsARouteOnceTheCertificateIsPinned() throws Exception {
        K8sdEndpoint k8sdEndpoint = new K8sdEndpoint(TwoClusterFixture.blue(), "w-1", "10.0.0.1", 2380);
        assertThat(done(nodeClient.findRoute())).isEqualTo(new K8sdRoute.UnpinnedRoute(k8sdEndpoint));
        assertThat(done(nodeClient.pinCertificate(PIN))).isNull();
        assertThat(done(nodeClient.findRoute())).isInstanceOfSatisfying(K8sdRoute.TrustedRoute.class, trustedRoute -> {
            assertThat(trustedRoute.pin()).isEqualTo(PIN);
            assertThat(trustedRoute.endpoint()).isEqualTo(k8sdEndpoint);
            assertThat(trustedRoute.token().reveal()).isEqualTo(TwoClusterFixture.CANARY);
            assertThat(trustedRoute.toString()).doesNotContain(TwoClusterFixture.CANARY);
        });
    }

    @Test
    void readsARejectedTokenAgain() throws Exception {
        done(nodeClient.pinCertificate(PIN));
        done(nodeClient.findRoute());
        world.management.put(SECRETS + "blue-token", TwoClusterFixture.secret("node-token-m-1", "another"));
        assertThat(((K8sdRoute.TrustedRoute) done(nodeClient.findRoute()))
                        .token()
                        .reveal())
                .isEqualTo(TwoClusterFixture.CANARY);
        nodeClient.invalidateCredentials();
        assertThat(((K8sdRoute.TrustedRoute) done(nodeClient.findRoute()))
                        .token()
                        .reveal())
                .isEqualTo("another");
    }

    @Test
    void readsAMismatchedPinAgain() throws Exception {
        CertificatePin other = new CertificatePin("cd".repeat(32));
        done(nodeClient.pinCertificate(PIN));
        world.management.put(
                TwoClusterFixture.PINS, TwoClusterFixture.pins("m-1", other.sha256() + " " + TwoClusterFixture.UID));
        assertThat(((K8sdRoute.TrustedRoute) done(nodeClient.findRoute())).pin())
                .isEqualTo(PIN);
        nodeClient.invalidateCredentials();
        assertThat(((K8sdRoute.TrustedRoute) done(nodeClient.findRoute())).pin())
                .isEqualTo(other);
    }

    @Test
    void theMembersOfAControlPlaneShareACertificate() throws Exception {
        assertThat(done(world.member().pinCertificate(PIN))).isNull();
        world.management.put(
                SECRETS + "blue-token", TwoClusterFixture.secret("node-token-m-cp", TwoClusterFixture.CANARY));
        assertThat(((K8sdRoute.TrustedRoute) done(world.member().findRoute())).pin())
                .isEqualTo(PIN);
        assertThat(done(nodeClient.findRoute())).isInstanceOf(K8sdRoute.UnpinnedRoute.class);
        world.management.put(MACHINE.replace("m-1", "m-cp-2"), SampleObjects.memberMachine("u-cp-2", "cp-2"));
        assertThat(done(world.member("m-cp-2", "u-cp-2", "0/a").pinCertificate(new CertificatePin("cd".repeat(32)))))
                .isEqualTo(
                        "the control plane shows another certificate than the one that is pinned; if it may, reset its"
                                + " trust");
    }

    @Test
    void trustIsResetForAllMembersOfAControlPlane() throws Exception {
        done(world.member().pinCertificate(PIN));
        done(world.site.resetTrust(
                TwoClusterFixture.blue(),
                new MachineKey(TwoClusterFixture.blue().site(), "fleet", "m-cp")));
        assertThat(done(world.member().findRoute())).isInstanceOf(K8sdRoute.UnpinnedRoute.class);
    }

    @Test
    void k8sdListensWhereTheMachinesOwnConfigurationSays() throws Exception {
        configured();
        world.management.refuse("GET " + CONFIG, 403);
        assertThat(done(world.worker(7, "0/a").findRoute()))
                .isEqualTo(new K8sdRoute.NoRoute("CK8sConfig m-1-boot cannot be read: 403 as the test wants it"));
        world.management.put(CONFIG, SampleObjects.json("{'spec': {'controlPlane': {'microclusterPort': 6400}}}"));
        assertThat(port(world.worker(7, "0/a"))).isEqualTo(6400);
    }

    @Test
    void anotherMachineOfTheOwnerIsLookedForAtTheSamePortAndThenWhereItsOwnConfigurationSays() throws Exception {
        configured();
        world.management.put(CONFIG, SampleObjects.json("{'spec': {'controlPlane': {'microclusterPort': 6400}}}"));
        done(nodeClient.findRoute());
        world.management.put(CONFIG, SampleObjects.json("{'spec': {'controlPlane': {'microclusterPort': 6500}}}"));
        world.management.forgetAsked();

        NodeClient next = world.worker(8, "0/a");
        assertThat(port(next)).isEqualTo(6400);
        assertThat(world.management.asked()).noneMatch(request -> request.contains("ck8sconfigs"));
        assertThat(next.retryOtherPort()).isTrue();
        assertThat(port(next)).isEqualTo(6500);
        assertThat(next.retryOtherPort())
                .as("nobody else is to be asked where it is")
                .isFalse();
    }

    @Test
    void whereNoConfigurationSaysItIsTheUsualPortAndNobodyAsksAgain() throws Exception {
        configured();
        assertThat(port(world.worker(7, "0/a"))).isEqualTo(2380);
        world.management.forgetAsked();
        assertThat(port(world.worker(8, "0/a"))).isEqualTo(2380);
        assertThat(world.management.asked()).noneMatch(request -> request.contains("ck8sconfigs"));
    }

    private void configured() {
        JsonObject machine = SampleObjects.machine(TwoClusterFixture.UID, "w-1");
        machine.getJsonObject("spec")
                .put("bootstrap", SampleObjects.json("{'configRef': {'kind': 'CK8sConfig', 'name': 'm-1-boot'}}"));
        world.management.put(MACHINE, machine);
    }

    private static int port(NodeClient of) throws Exception {
        return ((K8sdRoute.UnpinnedRoute) done(of.findRoute())).endpoint().port();
    }

    @Test
    void findsNoRouteWithoutAToken() throws Exception {
        done(nodeClient.pinCertificate(PIN));
        world.management.put(
                SECRETS + "blue-token", TwoClusterFixture.secret("node-token-m-2", TwoClusterFixture.CANARY));
        assertThat(done(nodeClient.findRoute()))
                .isEqualTo(new K8sdRoute.NoRoute("Secret blue-token has no node-token-m-1"));
    }
}
