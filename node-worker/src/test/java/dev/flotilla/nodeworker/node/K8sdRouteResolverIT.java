package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.MACHINE;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.k8sd.K8sdEndpoint;
import dev.flotilla.nodeworker.k8sd.K8sdRoute;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.schemas.id.MachineKey;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds the address, port, certificate and token of a k8sd. */
class K8sdRouteResolverIT {
    private static final CertificatePin PIN = new CertificatePin("ab".repeat(32));
    private static final String CONFIG =
            "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/fleet/ck8sconfigs/m-1-boot";

    private TwoClusterFixture world;
    private MachineRoutes routes;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        routes = MachineRoutes.ofWorker(world);
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    @Test
    void findsARouteOnceTheCertificateIsPinned() throws Exception {
        K8sdEndpoint k8sdEndpoint = new K8sdEndpoint(TwoClusterFixture.blue(), "w-1", "10.0.0.1", 2380);
        assertThat(routes.findRoute()).isEqualTo(new K8sdRoute.UnpinnedRoute(k8sdEndpoint));
        assertThat(routes.pinCertificate(PIN)).isNull();
        assertThat(routes.findRoute()).isInstanceOfSatisfying(K8sdRoute.TrustedRoute.class, trustedRoute -> {
            assertThat(trustedRoute.pin()).isEqualTo(PIN);
            assertThat(trustedRoute.endpoint()).isEqualTo(k8sdEndpoint);
            assertThat(trustedRoute.token().reveal()).isEqualTo(TwoClusterFixture.CANARY);
            assertThat(trustedRoute.toString()).doesNotContain(TwoClusterFixture.CANARY);
        });
    }

    @Test
    void readsARejectedTokenAgain() throws Exception {
        routes.pinCertificate(PIN);
        routes.findRoute();
        world.management.put(SECRETS + "blue-token", TwoClusterFixture.secret("node-token-m-1", "another"));
        assertThat(((K8sdRoute.TrustedRoute) routes.findRoute()).token().reveal())
                .isEqualTo(TwoClusterFixture.CANARY);
        routes.invalidateCredentials();
        assertThat(((K8sdRoute.TrustedRoute) routes.findRoute()).token().reveal())
                .isEqualTo("another");
    }

    @Test
    void readsAMismatchedPinAgain() throws Exception {
        CertificatePin other = new CertificatePin("cd".repeat(32));
        routes.pinCertificate(PIN);
        world.management.put(
                TwoClusterFixture.PINS, TwoClusterFixture.pins("m-1", other.sha256() + " " + TwoClusterFixture.UID));
        assertThat(((K8sdRoute.TrustedRoute) routes.findRoute()).pin()).isEqualTo(PIN);
        routes.invalidateCredentials();
        assertThat(((K8sdRoute.TrustedRoute) routes.findRoute()).pin()).isEqualTo(other);
    }

    @Test
    void membersOfAControlPlaneShareAPin() throws Exception {
        assertThat(MachineRoutes.ofMember(world, "m-cp", "u-cp").pinCertificate(PIN))
                .isNull();
        world.management.put(
                SECRETS + "blue-token", TwoClusterFixture.secret("node-token-m-cp", TwoClusterFixture.CANARY));
        assertThat(((K8sdRoute.TrustedRoute)
                                MachineRoutes.ofMember(world, "m-cp", "u-cp").findRoute())
                        .pin())
                .isEqualTo(PIN);
        assertThat(routes.findRoute()).isInstanceOf(K8sdRoute.UnpinnedRoute.class);
        world.management.put(MACHINE.replace("m-1", "m-cp-2"), SampleObjects.memberMachine("u-cp-2", "cp-2"));
        assertThat(MachineRoutes.ofMember(world, "m-cp-2", "u-cp-2")
                        .pinCertificate(new CertificatePin("cd".repeat(32))))
                .isEqualTo(
                        "the control plane shows another certificate than the one that is pinned; if it may, reset its"
                                + " trust");
    }

    @Test
    void resetsTheTrustOfAllMembersOfAControlPlane() throws Exception {
        MachineRoutes.ofMember(world, "m-cp", "u-cp").pinCertificate(PIN);
        done(world.site.resetTrust(
                TwoClusterFixture.blue(),
                new MachineKey(TwoClusterFixture.blue().site(), "fleet", "m-cp")));
        assertThat(MachineRoutes.ofMember(world, "m-cp", "u-cp").findRoute())
                .isInstanceOf(K8sdRoute.UnpinnedRoute.class);
    }

    @Test
    void readsThePortFromTheMachinesConfiguration() throws Exception {
        configured();
        world.management.refuse("GET " + CONFIG, 403);
        assertThat(MachineRoutes.ofWorker(world).findRoute())
                .isEqualTo(new K8sdRoute.NoRoute("CK8sConfig m-1-boot cannot be read: 403 rejected by the test"));
        world.management.put(CONFIG, SampleObjects.json("{'spec': {'controlPlane': {'microclusterPort': 6400}}}"));
        assertThat(port(MachineRoutes.ofWorker(world))).isEqualTo(6400);
    }

    @Test
    void triesThePortOfAnotherMachineOfTheOwnerFirst() throws Exception {
        configured();
        world.management.put(CONFIG, SampleObjects.json("{'spec': {'controlPlane': {'microclusterPort': 6400}}}"));
        routes.findRoute();
        world.management.put(CONFIG, SampleObjects.json("{'spec': {'controlPlane': {'microclusterPort': 6500}}}"));
        world.management.forgetAsked();

        MachineRoutes next = MachineRoutes.ofWorker(world);
        assertThat(port(next)).isEqualTo(6400);
        assertThat(world.management.asked()).noneMatch(request -> request.contains("ck8sconfigs"));
        assertThat(next.mayListenElsewhere()).isTrue();
        assertThat(port(next)).isEqualTo(6500);
        assertThat(next.mayListenElsewhere())
                .as("there is no further place to look")
                .isFalse();
    }

    @Test
    void usesTheDefaultPortWithoutAConfiguration() throws Exception {
        configured();
        assertThat(port(MachineRoutes.ofWorker(world))).isEqualTo(2380);
        world.management.forgetAsked();
        assertThat(port(MachineRoutes.ofWorker(world))).isEqualTo(2380);
        assertThat(world.management.asked()).noneMatch(request -> request.contains("ck8sconfigs"));
    }

    private void configured() {
        JsonObject machine = SampleObjects.machine(TwoClusterFixture.UID, "w-1");
        machine.getJsonObject("spec")
                .put("bootstrap", SampleObjects.json("{'configRef': {'kind': 'CK8sConfig', 'name': 'm-1-boot'}}"));
        world.management.put(MACHINE, machine);
    }

    private static int port(MachineRoutes of) throws Exception {
        return ((K8sdRoute.UnpinnedRoute) of.findRoute()).endpoint().port();
    }

    @Test
    void findsNoRouteWithoutAToken() throws Exception {
        routes.pinCertificate(PIN);
        world.management.put(
                SECRETS + "blue-token", TwoClusterFixture.secret("node-token-m-2", TwoClusterFixture.CANARY));
        assertThat(routes.findRoute()).isEqualTo(new K8sdRoute.NoRoute("Secret blue-token has no node-token-m-1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "169.254.169.254 | link-local, where clouds keep their metadata",
                "k8sd.example | no IP address",
            })
    void findsNoRouteToAForbiddenAddress(String address, String problem) throws Exception {
        world.workload.put(
                TwoClusterFixture.NODE, SampleObjects.node("100", "v1.34.1", TwoClusterFixture.NOW, address));
        assertThat(routes.findRoute())
                .isEqualTo(new K8sdRoute.NoRoute("node w-1 has the InternalIP " + address + ", which is " + problem));
    }
}
