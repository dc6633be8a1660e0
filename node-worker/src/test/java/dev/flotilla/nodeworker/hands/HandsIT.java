package dev.flotilla.nodeworker.hands;

import static dev.flotilla.nodeworker.stub.KubeStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusters.CLUSTER;
import static dev.flotilla.nodeworker.stub.TwoClusters.MACHINE;
import static dev.flotilla.nodeworker.stub.TwoClusters.NODE;
import static dev.flotilla.nodeworker.stub.TwoClusters.OWNER;
import static dev.flotilla.nodeworker.stub.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.nodeworker.management.Mark;
import dev.flotilla.nodeworker.stub.Sample;
import dev.flotilla.nodeworker.stub.TwoClusters;
import dev.flotilla.schemas.row.SiteMode;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandsIT {
    private static final String SKIP = "cluster.x-k8s.io/skip-remediation";
    private static final String UPGRADE_TO = "v1beta2.k8sd.io/in-place-upgrade-to";
    private static final Instant SOON = TwoClusters.NOW.plusSeconds(600);
    private static final NodeInspection.ObservedNode WELL = new NodeInspection.ObservedNode("100", "v1.34.1", true, false);

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
    void anUpgradeReadsAsLittleAsItCan() throws Exception {
        assertThat(done(hands.inspect(null))).isEqualTo(WELL);
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(done(hands.judge())).isNull();
        world.pass(60_000);
        world.workload.put(NODE, Sample.node("200", "v1.34.2", world.now, "10.0.0.1"));
        assertThat(done(hands.inspect(TwoClusters.NOW.plusSeconds(30))))
                .isEqualTo(new NodeInspection.ObservedNode("200", "v1.34.2", true, false));
        done(hands.undo());
        assertThat(world.management.reads())
                .containsExactly(
                        "GET /apis/cluster.x-k8s.io",
                        "GET /apis/cluster.x-k8s.io/v1beta2",
                        "GET " + MACHINE,
                        "GET " + SECRETS + "blue-kubeconfig",
                        "GET " + CLUSTER,
                        "GET " + OWNER);
        assertThat(world.workload.asked()).containsExactly("GET " + NODE, "GET /api/v1/nodes", "GET " + NODE);
        assertThat(world.workload.users()).containsOnly("flotilla:node-worker");
    }

    @Test
    void whatTheProvidersKeyMeansIsTheModeOfTheSite() throws Exception {
        world.management.touch(MACHINE, UPGRADE_TO, "revision=200");
        assertThat(done(world.worker(SiteMode.DIRECT).guard(SOON, () -> {}))).isNull();
        for (SiteMode mode : Arrays.asList(SiteMode.INTERCEPT, SiteMode.CLUSTER_ONLY, null)) {
            assertThat(done(world.worker(mode).guard(SOON, () -> {})))
                    .isEqualTo("foreign: the machine bears " + UPGRADE_TO
                            + ", which is the provider's unless the site's mode is direct");
        }
    }

    @Test
    void whatSpeaksAgainstTheMachineIsSeenBeforeAnythingIsWritten() throws Exception {
        world.management.touch(MACHINE, "flotilla.dev/hold", "");
        assertThat(done(hands.guard(SOON, () -> {}))).isEqualTo("the machine bears flotilla.dev/hold");
        done(hands.undo());
        assertThat(world.management.asked()).noneMatch(request -> request.startsWith("PATCH "));
    }

    @Test
    void aMachineThatWasNotTakenIsLookedAtWithItsPeersBeforeAnythingIsWritten() throws Exception {
        world.workload.put(
                "/api/v1/nodes/w-2", Sample.notReady(Sample.node("100", "v1.34.1", TwoClusters.NOW, "10.0.0.2")));
        done(hands.guard(SOON, () -> {}));
        assertThat(done(hands.judge())).isEqualTo("1 other workers are away");
        done(hands.undo());
        world.management.forgetAsked();
        Hands next = world.worker(8, "0/a");
        assertThat(done(next.guard(SOON, () -> {}))).isEqualTo("1 other workers are away");
        done(next.undo());
        assertThat(world.management.asked()).noneMatch(request -> request.startsWith("PATCH "));
        world.workload.put("/api/v1/nodes/w-2", Sample.node("100", "v1.34.1", TwoClusters.NOW, "10.0.0.2"));
        Hands last = world.worker(9, "0/a");
        assertThat(done(last.guard(SOON, () -> {}))).isNull();
        assertThat(done(last.judge())).isNull();
    }

    @Test
    void guardsAreSetAndReleasedAndNothingElse() throws Exception {
        world.management.touch(MACHINE, "somebody.io/else", "stays");
        done(hands.inspect(null));
        done(hands.guard(SOON, () -> {}));
        assertThat(Mark.read(world.management.annotation(MACHINE, Mark.ON_MACHINE)))
                .isEqualTo(new Mark(7, "0/a", java.util.List.of(SKIP)));
        assertThat(world.management.annotation(MACHINE, SKIP)).isEmpty();
        world.management.touch(MACHINE, "other.io/status", "changed meanwhile");
        done(hands.undo());
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNull();
        assertThat(world.management.annotation(MACHINE, SKIP)).isNull();
        assertThat(world.management.annotation(MACHINE, "somebody.io/else")).isEqualTo("stays");
        done(hands.undo());
    }

    @Test
    void whatSomebodyElseSetStays() throws Exception {
        world.management.touch(MACHINE, SKIP, "theirs");
        done(hands.guard(SOON, () -> {}));
        done(hands.undo());
        assertThat(world.management.annotation(MACHINE, SKIP)).isEqualTo("theirs");
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNull();
    }

    @Test
    void aWriteInBetweenIsSeenBeforeTheGuardsAreSet() throws Exception {
        done(hands.inspect(null));
        world.management.before(
                "PATCH " + MACHINE, () -> world.management.touch(MACHINE, "flotilla.dev/hold", "not tonight"));
        assertThat(done(hands.guard(SOON, () -> {}))).isEqualTo("the machine bears flotilla.dev/hold");
        done(hands.undo());
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNull();
    }

    @Test
    void aStatusWrittenInBetweenNeedsNoSecondLook() throws Exception {
        world.management.touch(MACHINE, "flotilla.dev/upgrade-to", "channel=1.34/stable");
        done(hands.inspect(null));
        world.management.before(
                "PATCH " + MACHINE, () -> world.management.touch(MACHINE, "other.io/status", "changed meanwhile"));
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNotNull();
        assertThat(world.management.reads())
                .filteredOn(("GET " + MACHINE)::equals)
                .hasSize(1);
    }

    @Test
    void whatSomebodySetInBetweenStays() throws Exception {
        done(hands.inspect(null));
        world.management.before("PATCH " + MACHINE, () -> world.management.touch(MACHINE, SKIP, "theirs"));
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        done(hands.undo());
        assertThat(world.management.annotation(MACHINE, SKIP)).isEqualTo("theirs");
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNull();
    }

    @Test
    void aNewerAttemptKeepsItsMachine() throws Exception {
        done(world.worker(8, "0/b").guard(SOON, () -> {}));
        assertThat(done(hands.guard(SOON, () -> {}))).isEqualTo("attempt 8 holds the machine");
        done(hands.undo());
        assertThat(Mark.read(world.management.annotation(MACHINE, Mark.ON_MACHINE))
                        .attempt())
                .isEqualTo(8);
        assertThat(world.management.annotation(MACHINE, SKIP)).isEmpty();
    }

    @Test
    void aNewerAttemptThatComesInBetweenIsNotWrittenOver() throws Exception {
        String newer = new Mark(8, "0/b", java.util.List.of()).text();
        done(hands.inspect(null));
        world.management.before("PATCH " + MACHINE, () -> world.management.touch(MACHINE, Mark.ON_MACHINE, newer));
        assertThat(done(hands.guard(SOON, () -> {}))).isEqualTo("attempt 8 holds the machine");
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isEqualTo(newer);
    }

    @Test
    void whoLostThePartitionUndoesNothing() throws Exception {
        done(hands.guard(SOON, () -> {}));
        Hands successor = world.worker(7, "0/b");
        done(successor.takeOver());
        done(hands.undo());
        assertThat(Mark.read(world.management.annotation(MACHINE, Mark.ON_MACHINE))
                        .owner())
                .isEqualTo("0/b");
        assertThat(done(hands.judge())).isNull();
        world.pass(1_001);
        assertThat(done(hands.judge())).isEqualTo("the machine is in other hands");
        done(successor.undo());
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNull();
        assertThat(world.management.annotation(MACHINE, SKIP)).isNull();
    }

    @Test
    void aHoldThatCameAfterTheGuardsStopsTheCall() throws Exception {
        done(hands.guard(SOON, () -> {}));
        world.pass(1_001);
        world.management.touch(CLUSTER, "flotilla.dev/hold", "");
        assertThat(done(hands.judge())).isEqualTo("the cluster bears flotilla.dev/hold");
    }

    @Test
    void anotherWorkerThatIsAwayStopsTheCall() throws Exception {
        done(hands.guard(SOON, () -> {}));
        world.workload.put(
                "/api/v1/nodes/w-2", Sample.notReady(Sample.node("100", "v1.34.1", TwoClusters.NOW, "10.0.0.2")));
        assertThat(done(hands.judge())).isEqualTo("1 other workers are away");
    }

    @Test
    void aControlPlaneIsLookedAtMemberByMember() throws Exception {
        Hands member = world.member();
        assertThat(done(member.guard(SOON, () -> {}))).isNull();
        assertThat(done(member.judge())).isNull();
        world.workload.put(TwoClusters.lease("cp-3"), Sample.lease(TwoClusters.NOW.minusSeconds(41)));
        assertThat(done(member.judge())).isEqualTo("control-plane member cp-3 is not well");
    }

    @Test
    void aControlPlaneWhoseDatastoreIsNotWellLosesNoMember() throws Exception {
        Hands member = world.member();
        assertThat(done(member.guard(SOON, () -> {}))).isNull();
        world.serves("10.0.1.2");
        assertThat(done(member.judge())).isEqualTo("control-plane member cp-3 does not serve the API");
        world.serves("10.0.1.2", "10.0.1.3");
        world.workload.refuse("GET /readyz/etcd", 500);
        assertThat(done(member.judge()))
                .isEqualTo("the datastore is not well (/readyz/etcd): 500 as the test wants it");
        world.workload.refuse("GET /readyz/etcd", 403);
        assertThat(done(member.judge()))
                .isEqualTo("the datastore is not well (/readyz/etcd): 403 as the test wants it; apply"
                        + " deploy/node-worker/rbac-workload.yaml");
        assertThat(done(member.judge())).isNull();
    }

    @Test
    void anOwnerIsReadInTheVersionThatIsServed() throws Exception {
        JsonObject machine = Sample.memberMachine("u-cp", "cp-1");
        machine.getJsonObject("metadata")
                .getJsonArray("ownerReferences")
                .getJsonObject(0)
                .put("apiVersion", "controlplane.cluster.x-k8s.io/v1beta1");
        world.management.put(MACHINE.replace("m-1", "m-cp"), machine);
        Hands member = world.member();
        assertThat(done(member.guard(SOON, () -> {}))).isNull();
        assertThat(done(member.judge())).isNull();
    }

    @Test
    void aMemberIsWellOnceItsAddressIsBack() throws Exception {
        Hands member = world.member();
        Instant changed = TwoClusters.NOW.minusSeconds(120);
        assertThat(done(member.inspect(null))).isEqualTo(WELL);
        assertThat(done(member.inspect(changed))).isEqualTo(new NodeInspection.ObservedNode("100", "v1.34.1", false, false));
        world.serves("10.0.1.1");
        assertThat(done(member.inspect(changed))).isEqualTo(WELL);
    }

    @Test
    void whatAKubeletSaidBeforeTheChangeProvesNothingButItsLeaseMay() throws Exception {
        assertThat(done(hands.inspect(TwoClusters.NOW.minusSeconds(61)))).isEqualTo(WELL);
        assertThat(done(hands.inspect(TwoClusters.NOW.minusSeconds(10)))).isEqualTo(WELL);
        assertThat(done(hands.inspect(TwoClusters.NOW.minusSeconds(4))))
                .isEqualTo(new NodeInspection.ObservedNode("100", "v1.34.1", false, false));
    }

    @Test
    void aKubeletOfAnotherVersionHasSpokenSinceTheChange() throws Exception {
        assertThat(done(hands.inspect(null))).isEqualTo(WELL);
        world.workload.put(NODE, Sample.node("200", "v1.34.2", TwoClusters.NOW.minusSeconds(6), "10.0.0.1"));
        assertThat(done(hands.inspect(TwoClusters.NOW.minusSeconds(4))))
                .isEqualTo(new NodeInspection.ObservedNode("200", "v1.34.2", true, false));
        assertThat(done(world.worker(7, "0/b").inspect(TwoClusters.NOW.minusSeconds(4))))
                .as("to whoever has not seen it before")
                .isEqualTo(new NodeInspection.ObservedNode("200", "v1.34.2", false, false));
    }

    @Test
    void aMachineThatIsGoneOrAnotherIsGone() throws Exception {
        world.management.put(MACHINE, Sample.machine("another", "w-1"));
        assertThat(done(hands.inspect(null))).isEqualTo(new NodeInspection.MachineGone());
        world.management.objects.remove(MACHINE);
        assertThat(done(hands.inspect(null))).isEqualTo(new NodeInspection.MachineGone());
        assertThat(done(hands.guard(SOON, () -> {}))).isEqualTo("no such machine");
        done(hands.undo());
    }

    @Test
    void aNodeThatVanishesWithItsMachineIsGone() throws Exception {
        done(hands.inspect(null));
        world.workload.objects.remove(NODE);
        assertThat(done(hands.inspect(TwoClusters.NOW))).isEqualTo(new NodeInspection.Unreachable("there is no Node w-1"));
        world.management.objects.remove(MACHINE);
        assertThat(done(hands.inspect(TwoClusters.NOW))).isEqualTo(new NodeInspection.MachineGone());
    }

    @Test
    void aClusterWhoseApiIsAwayIsDark() throws Exception {
        done(hands.inspect(null));
        world.workload.close();
        assertThat(done(hands.inspect(TwoClusters.NOW)))
                .isInstanceOfSatisfying(
                        NodeInspection.Unreachable.class,
                        unreachable -> assertThat(unreachable.text()).startsWith("the cluster's API does not tell of node w-1: "));
    }

    @Test
    void aKubeconfigThatIsNotTakenIsReadAnew() throws Exception {
        world.management.put(
                SECRETS + "blue-kubeconfig",
                TwoClusters.secret("value", world.kubeconfig(TwoClusters.CANARY + "-old")));
        assertThat(done(hands.inspect(null)))
                .isEqualTo(new NodeInspection.Unreachable("the cluster's API does not tell of node w-1: 401 Unauthorized"));
        world.management.put(
                SECRETS + "blue-kubeconfig", TwoClusters.secret("value", world.kubeconfig(TwoClusters.CANARY)));
        assertThat(done(hands.inspect(null))).isEqualTo(WELL);
    }

    @Test
    void whatCannotBeUndoneNowIsAskedForAgain() throws Exception {
        done(hands.guard(SOON, () -> {}));
        world.management.refuse("PATCH " + MACHINE, 500);
        world.management.refuse("GET " + MACHINE, 500);
        assertThatThrownBy(() -> done(hands.undo()))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("500 as the test wants it");
        done(hands.undo());
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNull();
    }

    @Test
    void aNodeThatSaysItIsWhereCloudsKeepTheirMetadataIsNotAsked() throws Exception {
        world.workload.put(NODE, Sample.node("100", "v1.34.1", TwoClusters.NOW, "169.254.169.254"));
        done(hands.inspect(null));
        assertThat(done(hands.way()))
                .isEqualTo(new Way.Closed("node w-1 says that its InternalIP is 169.254.169.254, which is link-local,"
                        + " where clouds keep their metadata"));
        world.workload.put(NODE, Sample.node("100", "v1.34.1", TwoClusters.NOW, "k8sd.example"));
        done(hands.inspect(null));
        assertThat(done(hands.way()))
                .isEqualTo(new Way.Closed("node w-1 says that its InternalIP is k8sd.example, which is no IP address"));
    }
}
