package dev.flotilla.nodeworker.pins;

import static dev.flotilla.nodeworker.pins.Bearer.machine;
import static dev.flotilla.nodeworker.stub.TwoClusters.SECRETS;
import static dev.flotilla.nodeworker.stub.TwoClusters.blue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.pins.Pins.Trust;
import dev.flotilla.nodeworker.stub.TwoClusters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinsIT {
    private static final Pin ONE = new Pin("ab".repeat(32));
    private static final Pin TWO = new Pin("cd".repeat(32));
    private static final String PATH = TwoClusters.PINS;
    private static final String OLD = SECRETS + "blue-flotilla-pins";

    private TwoClusters world;
    private KubeApiClient api;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusters();
        api = new KubeApiClient(world.config(), 4);
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
        world.close();
    }

    private Pins pins() {
        return new Pins(api, world.ticks::get);
    }

    @Test
    void theFirstContactIsKeptForEveryWorker() {
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Stranger());
        assertThat(pins().meet(blue(), machine("m-1", "u-1"), ONE)).isEqualTo(new Trust.Pinned(ONE));
        assertThat(pins().meet(blue(), machine("m-2", "u-2"), TWO)).isEqualTo(new Trust.Pinned(TWO));
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Pinned(ONE));
        assertThat(pins().of(blue(), machine("m-2", "u-2"))).isEqualTo(new Trust.Pinned(TWO));
    }

    @Test
    void anotherCertificateIsRefusedUntilTheTrustIsReset() {
        Pins pins = pins();
        pins.meet(blue(), machine("m-1", "u-1"), ONE);
        assertThat(pins.meet(blue(), machine("m-1", "u-1"), TWO))
                .isEqualTo(
                        new Trust.None("machine m-1 shows another certificate than the one that is pinned; if it may,"
                                + " reset its trust"));
        assertThat(pins.reset(blue(), machine("m-1", "u-1"))).isNull();
        assertThat(pins.of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Stranger());
        assertThat(pins.meet(blue(), machine("m-1", "u-1"), TWO)).isEqualTo(new Trust.Pinned(TWO));
    }

    @Test
    void aNewMachineOfAnOldNameIsANewMachine() {
        pins().meet(blue(), machine("m-1", "u-1"), ONE);
        assertThat(pins().of(blue(), machine("m-1", "u-9"))).isEqualTo(new Trust.Stranger());
        assertThat(pins().meet(blue(), machine("m-1", "u-9"), TWO)).isEqualTo(new Trust.Pinned(TWO));
    }

    @Test
    void ofTwoFirstContactsAtOnceTheFirstWriteCounts() {
        world.management.before("PATCH " + PATH, () -> {
            world.management.put(PATH, TwoClusters.pins("m-1", ONE.sha256() + " u-1"));
        });
        assertThat(pins().meet(blue(), machine("m-1", "u-1"), TWO)).isInstanceOf(Trust.None.class);
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Pinned(ONE));
    }

    @Test
    void whatOthersPinInBetweenStays() {
        pins().meet(blue(), machine("m-1", "u-1"), ONE);
        world.management.before("PATCH " + PATH, () -> world.management.touch(PATH, "somebody", "wrote"));
        assertThat(pins().meet(blue(), machine("m-2", "u-2"), TWO)).isEqualTo(new Trust.Pinned(TWO));
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Pinned(ONE));
    }

    @Test
    void aPinThatCannotBeReadCloses() {
        world.management.put(PATH, TwoClusters.pins("m-1", "not a pin"));
        Trust closed = new Trust.None("what is pinned for machine m-1 cannot be read; reset its trust");
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(closed);
        assertThat(pins().meet(blue(), machine("m-1", "u-1"), ONE)).isEqualTo(closed);
        assertThat(pins().reset(blue(), machine("m-1", "u-1"))).isNull();
        assertThat(pins().meet(blue(), machine("m-1", "u-1"), ONE)).isEqualTo(new Trust.Pinned(ONE));
    }

    @Test
    void pinsOfAnEarlierVersionHoldAndAreCopied() {
        world.management.put(OLD, TwoClusters.secret("m-1", ONE.sha256() + " u-1"));
        assertThat(pins().meet(blue(), machine("m-1", "u-1"), TWO)).isInstanceOf(Trust.None.class);
        world.management.objects.remove(OLD);
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Pinned(ONE));
    }

    @Test
    void pinsOfAnEarlierVersionHoldWhereNobodyHasMadeTheConfigMapYet() {
        world.management.objects.remove(PATH);
        world.management.put(OLD, TwoClusters.secret("m-1", ONE.sha256() + " u-1"));
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Pinned(ONE));
        assertThat(pins().meet(blue(), machine("m-2", "u-2"), TWO))
                .isEqualTo(new Trust.None(
                        "ConfigMap blue-flotilla-pins does not exist in namespace fleet; `flotilla site rbac`"
                                + " prints it for kubectl apply"));
    }

    @Test
    void aResetForgetsWhatAnEarlierVersionPinned() {
        world.management.put(OLD, TwoClusters.secret("m-1", ONE.sha256() + " u-1"));
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Pinned(ONE));
        assertThat(pins().reset(blue(), machine("m-1", "u-1"))).isNull();
        assertThat(pins().of(blue(), machine("m-1", "u-1"))).isEqualTo(new Trust.Stranger());
    }

    @Test
    void pinsOfAnEarlierVersionThatCannotBeReadAreNotTakenForNone() {
        world.management.refuse("GET " + OLD, 403);
        assertThat(pins().of(blue(), machine("m-1", "u-1")))
                .isEqualTo(new Trust.None("Secret blue-flotilla-pins cannot be read: 403 as the test wants it"));
    }

    @Test
    void aConfigMapThatCannotBeReadIsNotTakenForNone() {
        world.management.refuse("GET " + PATH, 403);
        assertThat(pins().of(blue(), machine("m-1", "u-1")))
                .isEqualTo(new Trust.None("ConfigMap blue-flotilla-pins cannot be read: 403 as the test wants it"));
    }
}
