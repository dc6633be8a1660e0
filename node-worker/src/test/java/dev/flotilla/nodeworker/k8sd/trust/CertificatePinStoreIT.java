package dev.flotilla.nodeworker.k8sd.trust;

import static dev.flotilla.nodeworker.k8sd.trust.CertificatePinKey.machine;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.SECRETS;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.blue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinStore.CertificateTrust;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CertificatePinStoreIT {
    private static final CertificatePin ONE = new CertificatePin("ab".repeat(32));
    private static final CertificatePin TWO = new CertificatePin("cd".repeat(32));
    private static final String PATH = TwoClusterFixture.PINS;
    private static final String OLD = SECRETS + "blue-flotilla-pins";

    private TwoClusterFixture world;
    private KubeApiClient api;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        api = new KubeApiClient(world.config(), 4);
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
        world.close();
    }

    private CertificatePinStore pins() {
        return new CertificatePinStore(api, world.ticks::get);
    }

    @Test
    void theFirstContactIsKeptForEveryWorker() {
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificateUnpinned());
        assertThat(pins().pinFirstSeen(blue(), machine("m-1", "u-1"), ONE))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
        assertThat(pins().pinFirstSeen(blue(), machine("m-2", "u-2"), TWO))
                .isEqualTo(new CertificateTrust.CertificatePinned(TWO));
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
        assertThat(pins().readTrust(blue(), machine("m-2", "u-2")))
                .isEqualTo(new CertificateTrust.CertificatePinned(TWO));
    }

    @Test
    void anotherCertificateIsRefusedUntilTheTrustIsReset() {
        CertificatePinStore certificatePinStore = pins();
        certificatePinStore.pinFirstSeen(blue(), machine("m-1", "u-1"), ONE);
        assertThat(certificatePinStore.pinFirstSeen(blue(), machine("m-1", "u-1"), TWO))
                .isEqualTo(new CertificateTrust.TrustUnknown(
                        "machine m-1 shows another certificate than the one that is pinned; if it may,"
                                + " reset its trust"));
        assertThat(certificatePinStore.resetPin(blue(), machine("m-1", "u-1"))).isNull();
        assertThat(certificatePinStore.readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificateUnpinned());
        assertThat(certificatePinStore.pinFirstSeen(blue(), machine("m-1", "u-1"), TWO))
                .isEqualTo(new CertificateTrust.CertificatePinned(TWO));
    }

    @Test
    void aNewMachineOfAnOldNameIsANewMachine() {
        pins().pinFirstSeen(blue(), machine("m-1", "u-1"), ONE);
        assertThat(pins().readTrust(blue(), machine("m-1", "u-9")))
                .isEqualTo(new CertificateTrust.CertificateUnpinned());
        assertThat(pins().pinFirstSeen(blue(), machine("m-1", "u-9"), TWO))
                .isEqualTo(new CertificateTrust.CertificatePinned(TWO));
    }

    @Test
    void ofTwoFirstContactsAtOnceTheFirstWriteCounts() {
        world.management.before("PATCH " + PATH, () -> {
            world.management.put(PATH, TwoClusterFixture.pins("m-1", ONE.sha256() + " u-1"));
        });
        assertThat(pins().pinFirstSeen(blue(), machine("m-1", "u-1"), TWO))
                .isInstanceOf(CertificateTrust.TrustUnknown.class);
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
    }

    @Test
    void whatOthersPinInBetweenStays() {
        pins().pinFirstSeen(blue(), machine("m-1", "u-1"), ONE);
        world.management.before("PATCH " + PATH, () -> world.management.touch(PATH, "somebody", "wrote"));
        assertThat(pins().pinFirstSeen(blue(), machine("m-2", "u-2"), TWO))
                .isEqualTo(new CertificateTrust.CertificatePinned(TWO));
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
    }

    @Test
    void unreadablePinAllowsNothing() {
        world.management.put(PATH, TwoClusterFixture.pins("m-1", "not a pin"));
        CertificateTrust closed =
                new CertificateTrust.TrustUnknown("the pin of machine m-1 cannot be read; reset its trust");
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1"))).isEqualTo(closed);
        assertThat(pins().pinFirstSeen(blue(), machine("m-1", "u-1"), ONE)).isEqualTo(closed);
        assertThat(pins().resetPin(blue(), machine("m-1", "u-1"))).isNull();
        assertThat(pins().pinFirstSeen(blue(), machine("m-1", "u-1"), ONE))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
    }

    @Test
    void pinsOfAnEarlierVersionHoldAndAreCopied() {
        world.management.put(OLD, TwoClusterFixture.secret("m-1", ONE.sha256() + " u-1"));
        assertThat(pins().pinFirstSeen(blue(), machine("m-1", "u-1"), TWO))
                .isInstanceOf(CertificateTrust.TrustUnknown.class);
        world.management.objects.remove(OLD);
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
    }

    @Test
    void pinsOfAnEarlierVersionHoldWhereNobodyHasMadeTheConfigMapYet() {
        world.management.objects.remove(PATH);
        world.management.put(OLD, TwoClusterFixture.secret("m-1", ONE.sha256() + " u-1"));
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
        assertThat(pins().pinFirstSeen(blue(), machine("m-2", "u-2"), TWO))
                .isEqualTo(new CertificateTrust.TrustUnknown(
                        "ConfigMap blue-flotilla-pins does not exist in namespace fleet; `flotilla site rbac`"
                                + " prints it for kubectl apply"));
    }

    @Test
    void aResetForgetsWhatAnEarlierVersionPinned() {
        world.management.put(OLD, TwoClusterFixture.secret("m-1", ONE.sha256() + " u-1"));
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificatePinned(ONE));
        assertThat(pins().resetPin(blue(), machine("m-1", "u-1"))).isNull();
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.CertificateUnpinned());
    }

    @Test
    void pinsOfAnEarlierVersionThatCannotBeReadAreNotTakenForNone() {
        world.management.refuse("GET " + OLD, 403);
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.TrustUnknown(
                        "Secret blue-flotilla-pins cannot be read: 403 rejected by the test"));
    }

    @Test
    void aConfigMapThatCannotBeReadIsNotTakenForNone() {
        world.management.refuse("GET " + PATH, 403);
        assertThat(pins().readTrust(blue(), machine("m-1", "u-1")))
                .isEqualTo(new CertificateTrust.TrustUnknown(
                        "ConfigMap blue-flotilla-pins cannot be read: 403 rejected by the test"));
    }
}
