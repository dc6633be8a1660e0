package dev.flotilla.nodeworker.hands;

import static dev.flotilla.nodeworker.stub.KubeStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusters.MACHINE;
import static dev.flotilla.nodeworker.stub.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.stub.Sample;
import dev.flotilla.nodeworker.stub.TwoClusters;
import dev.flotilla.schemas.id.MachineKey;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What hands know of a node's k8sd: where it listens, what it shows, what it wants to see. */
class AcquaintanceIT {
    private static final Pin PIN = new Pin("ab".repeat(32));
    private static final String CONFIG =
            "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/fleet/ck8sconfigs/m-1-boot";

    private TwoClusters world;
    private Hands hands;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusters();
        hands = world.worker(7, "0/a");
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    @Test
    void theWayIsOpenOnceTheCertificateIsPinned() throws Exception {
        Peer peer = new Peer(TwoClusters.blue(), "w-1", "10.0.0.1", 2380);
        assertThat(done(hands.way())).isEqualTo(new Way.FirstContact(peer));
        assertThat(done(hands.meet(PIN))).isNull();
        assertThat(done(hands.way())).isInstanceOfSatisfying(Way.Open.class, open -> {
            assertThat(open.pin()).isEqualTo(PIN);
            assertThat(open.peer()).isEqualTo(peer);
            assertThat(open.token().reveal()).isEqualTo(TwoClusters.CANARY);
            assertThat(open.toString()).doesNotContain(TwoClusters.CANARY);
        });
    }

    @Test
    void aTokenThatIsRefusedIsReadAnew() throws Exception {
        done(hands.meet(PIN));
        done(hands.way());
        world.management.put(SECRETS + "blue-token", TwoClusters.secret("node-token-m-1", "another"));
        assertThat(((Way.Open) done(hands.way())).token().reveal()).isEqualTo(TwoClusters.CANARY);
        hands.wayRefused();
        assertThat(((Way.Open) done(hands.way())).token().reveal()).isEqualTo("another");
    }

    @Test
    void aPinThatIsRefusedIsReadAnew() throws Exception {
        Pin other = new Pin("cd".repeat(32));
        done(hands.meet(PIN));
        world.management.put(TwoClusters.PINS, TwoClusters.pins("m-1", other.sha256() + " " + TwoClusters.UID));
        assertThat(((Way.Open) done(hands.way())).pin()).isEqualTo(PIN);
        hands.wayRefused();
        assertThat(((Way.Open) done(hands.way())).pin()).isEqualTo(other);
    }

    @Test
    void theMembersOfAControlPlaneShareACertificate() throws Exception {
        assertThat(done(world.member().meet(PIN))).isNull();
        world.management.put(SECRETS + "blue-token", TwoClusters.secret("node-token-m-cp", TwoClusters.CANARY));
        assertThat(((Way.Open) done(world.member().way())).pin()).isEqualTo(PIN);
        assertThat(done(hands.way())).isInstanceOf(Way.FirstContact.class);
        world.management.put(MACHINE.replace("m-1", "m-cp-2"), Sample.memberMachine("u-cp-2", "cp-2"));
        assertThat(done(world.member("m-cp-2", "u-cp-2", "0/a").meet(new Pin("cd".repeat(32)))))
                .isEqualTo(
                        "the control plane shows another certificate than the one that is pinned; if it may, reset its"
                                + " trust");
    }

    @Test
    void trustIsResetForAllMembersOfAControlPlane() throws Exception {
        done(world.member().meet(PIN));
        done(world.site.resetTrust(
                TwoClusters.blue(), new MachineKey(TwoClusters.blue().site(), "fleet", "m-cp")));
        assertThat(done(world.member().way())).isInstanceOf(Way.FirstContact.class);
    }

    @Test
    void k8sdListensWhereTheMachinesOwnConfigurationSays() throws Exception {
        configured();
        world.management.refuse("GET " + CONFIG, 403);
        assertThat(done(world.worker(7, "0/a").way()))
                .isEqualTo(new Way.Closed("CK8sConfig m-1-boot cannot be read: 403 as the test wants it"));
        world.management.put(CONFIG, Sample.json("{'spec': {'controlPlane': {'microclusterPort': 6400}}}"));
        assertThat(port(world.worker(7, "0/a"))).isEqualTo(6400);
    }

    @Test
    void anotherMachineOfTheOwnerIsLookedForAtTheSamePortAndThenWhereItsOwnConfigurationSays() throws Exception {
        configured();
        world.management.put(CONFIG, Sample.json("{'spec': {'controlPlane': {'microclusterPort': 6400}}}"));
        done(hands.way());
        world.management.put(CONFIG, Sample.json("{'spec': {'controlPlane': {'microclusterPort': 6500}}}"));
        world.management.forgetAsked();

        Hands next = world.worker(8, "0/a");
        assertThat(port(next)).isEqualTo(6400);
        assertThat(world.management.asked()).noneMatch(request -> request.contains("ck8sconfigs"));
        assertThat(next.wayMissed()).isTrue();
        assertThat(port(next)).isEqualTo(6500);
        assertThat(next.wayMissed())
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
        JsonObject machine = Sample.machine(TwoClusters.UID, "w-1");
        machine.getJsonObject("spec")
                .put("bootstrap", Sample.json("{'configRef': {'kind': 'CK8sConfig', 'name': 'm-1-boot'}}"));
        world.management.put(MACHINE, machine);
    }

    private static int port(Hands of) throws Exception {
        return ((Way.FirstContact) done(of.way())).peer().port();
    }

    @Test
    void aMachineWithoutATokenHasNoWay() throws Exception {
        done(hands.meet(PIN));
        world.management.put(SECRETS + "blue-token", TwoClusters.secret("node-token-m-2", TwoClusters.CANARY));
        assertThat(done(hands.way())).isEqualTo(new Way.Closed("Secret blue-token has no node-token-m-1"));
    }
}
