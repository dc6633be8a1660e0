package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.CLUSTER;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.MACHINE;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.NODE;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.OWNER;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.schemas.row.SiteMode;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class K8sdNodeUpgraderIT {
    private static final String SKIP = "cluster.x-k8s.io/skip-remediation";
    private static final String UPGRADE_TO = "v1beta2.k8sd.io/in-place-upgrade-to";
    private static final Instant SOON = TwoClusterFixture.NOW.plusSeconds(600);
    private static final NodeInspection.ObservedNode WELL =
            new NodeInspection.ObservedNode("100", "v1.34.1", true, false);

    private TwoClusterFixture world;
    private NodeUpgrader nodeUpgrader;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        nodeUpgrader = world.worker(7, "0/a");
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    @Test
    void anUpgradeReadsAsLittleAsItCan() throws Exception {
        assertThat(done(nodeUpgrader.inspectNode(null))).isEqualTo(WELL);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(done(nodeUpgrader.checkPreconditions())).isNull();
        world.pass(60_000);
        world.workload.put(NODE, SampleObjects.node("200", "v1.34.2", world.now, "10.0.0.1"));
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW.plusSeconds(30))))
                .isEqualTo(new NodeInspection.ObservedNode("200", "v1.34.2", true, false));
        done(nodeUpgrader.cleanUp());
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
    void modeDecidesWhetherTheProvidersAnnotationIsForeign() throws Exception {
        world.management.touch(MACHINE, UPGRADE_TO, "revision=200");
        assertThat(done(world.worker(SiteMode.DIRECT).setGuards(SOON, () -> {})))
                .isNull();
        for (SiteMode mode : Arrays.asList(SiteMode.INTERCEPT, SiteMode.CLUSTER_ONLY, null)) {
            assertThat(done(world.worker(mode).setGuards(SOON, () -> {})))
                    .isEqualTo("foreign: the machine has annotation " + UPGRADE_TO
                            + ", which is the provider's unless the site's mode is direct");
        }
    }

    @Test
    void checksPreconditionsBeforeItWrites() throws Exception {
        world.management.touch(MACHINE, "flotilla.dev/hold", "");
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {})))
                .isEqualTo("the machine has annotation flotilla.dev/hold");
        done(nodeUpgrader.cleanUp());
        assertThat(world.management.asked()).noneMatch(request -> request.startsWith("PATCH "));
    }

    @Test
    void checksTheOtherMachinesBeforeItWritesIfTheyBlockedTheLastAttempt() throws Exception {
        world.workload.put(
                "/api/v1/nodes/w-2",
                SampleObjects.notReady(SampleObjects.node("100", "v1.34.1", TwoClusterFixture.NOW, "10.0.0.2")));
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        assertThat(done(nodeUpgrader.checkPreconditions()))
                .isEqualTo("other workers that are not Ready or are cordoned: 1; maxUnavailable is 1");
        done(nodeUpgrader.cleanUp());
        world.management.forgetAsked();
        NodeUpgrader next = world.worker(8, "0/a");
        assertThat(done(next.setGuards(SOON, () -> {})))
                .isEqualTo("other workers that are not Ready or are cordoned: 1; maxUnavailable is 1");
        done(next.cleanUp());
        assertThat(world.management.asked()).noneMatch(request -> request.startsWith("PATCH "));
        world.workload.put(
                "/api/v1/nodes/w-2", SampleObjects.node("100", "v1.34.1", TwoClusterFixture.NOW, "10.0.0.2"));
        NodeUpgrader last = world.worker(9, "0/a");
        assertThat(done(last.setGuards(SOON, () -> {}))).isNull();
        assertThat(done(last.checkPreconditions())).isNull();
    }

    @Test
    void setsAndReleasesGuardsAndNothingElse() throws Exception {
        world.management.touch(MACHINE, "somebody.io/else", "stays");
        done(nodeUpgrader.inspectNode(null));
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        assertThat(AttemptAnnotation.parse(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE)))
                .isEqualTo(new AttemptAnnotation(7, "0/a", java.util.List.of(SKIP)));
        assertThat(world.management.annotation(MACHINE, SKIP)).isEmpty();
        world.management.touch(MACHINE, "other.io/status", "changed meanwhile");
        done(nodeUpgrader.cleanUp());
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
        assertThat(world.management.annotation(MACHINE, SKIP)).isNull();
        assertThat(world.management.annotation(MACHINE, "somebody.io/else")).isEqualTo("stays");
        done(nodeUpgrader.cleanUp());
    }

    @Test
    void keepsAnnotationsOfOthers() throws Exception {
        world.management.touch(MACHINE, SKIP, "theirs");
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        done(nodeUpgrader.cleanUp());
        assertThat(world.management.annotation(MACHINE, SKIP)).isEqualTo("theirs");
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
    }

    @Test
    void noticesAnotherWriteBeforeTheGuardsAreSet() throws Exception {
        done(nodeUpgrader.inspectNode(null));
        world.management.before(
                "PATCH " + MACHINE, () -> world.management.touch(MACHINE, "flotilla.dev/hold", "not tonight"));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {})))
                .isEqualTo("the machine has annotation flotilla.dev/hold");
        done(nodeUpgrader.cleanUp());
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
    }

    @Test
    void doesNotReadAgainAfterAnotherWriteOfTheStatus() throws Exception {
        world.management.touch(MACHINE, "flotilla.dev/upgrade-to", "channel=1.34/stable");
        done(nodeUpgrader.inspectNode(null));
        world.management.before(
                "PATCH " + MACHINE, () -> world.management.touch(MACHINE, "other.io/status", "changed meanwhile"));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNotNull();
        assertThat(world.management.reads())
                .filteredOn(("GET " + MACHINE)::equals)
                .hasSize(1);
    }

    @Test
    void keepsAnAnnotationThatAnotherClientSetFirst() throws Exception {
        done(nodeUpgrader.inspectNode(null));
        world.management.before("PATCH " + MACHINE, () -> world.management.touch(MACHINE, SKIP, "theirs"));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        done(nodeUpgrader.cleanUp());
        assertThat(world.management.annotation(MACHINE, SKIP)).isEqualTo("theirs");
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
    }

    @Test
    void doesNotTakeAMachineFromANewerAttempt() throws Exception {
        done(world.worker(8, "0/b").setGuards(SOON, () -> {}));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isEqualTo("attempt 8 has set guards on the machine");
        done(nodeUpgrader.cleanUp());
        assertThat(AttemptAnnotation.parse(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                        .attempt())
                .isEqualTo(8);
        assertThat(world.management.annotation(MACHINE, SKIP)).isEmpty();
    }

    @Test
    void doesNotOverwriteANewerAttemptThatWritesFirst() throws Exception {
        String newer = new AttemptAnnotation(8, "0/b", java.util.List.of()).text();
        done(nodeUpgrader.inspectNode(null));
        world.management.before(
                "PATCH " + MACHINE, () -> world.management.touch(MACHINE, AttemptAnnotation.ON_MACHINE, newer));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isEqualTo("attempt 8 has set guards on the machine");
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isEqualTo(newer);
    }

    @Test
    void formerOwnerCleansUpNothing() throws Exception {
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        NodeUpgrader successor = world.successor(7, "0/b");
        done(successor.inspectNode(null));
        done(nodeUpgrader.cleanUp());
        assertThat(AttemptAnnotation.parse(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                        .owner())
                .isEqualTo("0/b");
        assertThat(done(nodeUpgrader.checkPreconditions())).isNull();
        world.pass(1_001);
        assertThat(done(nodeUpgrader.checkPreconditions())).isEqualTo("another worker has taken over the machine");
        done(successor.cleanUp());
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
        assertThat(world.management.annotation(MACHINE, SKIP)).isNull();
    }

    @Test
    void holdAfterTheGuardsBlocksTheCall() throws Exception {
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        world.pass(1_001);
        world.management.touch(CLUSTER, "flotilla.dev/hold", "");
        assertThat(done(nodeUpgrader.checkPreconditions())).isEqualTo("the cluster has annotation flotilla.dev/hold");
    }

    @Test
    void unavailableWorkerBlocksTheCall() throws Exception {
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        world.workload.put(
                "/api/v1/nodes/w-2",
                SampleObjects.notReady(SampleObjects.node("100", "v1.34.1", TwoClusterFixture.NOW, "10.0.0.2")));
        assertThat(done(nodeUpgrader.checkPreconditions()))
                .isEqualTo("other workers that are not Ready or are cordoned: 1; maxUnavailable is 1");
    }

    @Test
    void checksEachMemberOfAControlPlane() throws Exception {
        NodeUpgrader member = world.member();
        assertThat(done(member.setGuards(SOON, () -> {}))).isNull();
        assertThat(done(member.checkPreconditions())).isNull();
        world.workload.put(
                TwoClusterFixture.lease("cp-3"), SampleObjects.lease(TwoClusterFixture.NOW.minusSeconds(41)));
        assertThat(done(member.checkPreconditions())).isEqualTo("control-plane member cp-3 is not Ready");
    }

    @Test
    void doesNotUpgradeAMemberWhileTheDatastoreIsUnhealthy() throws Exception {
        NodeUpgrader member = world.member();
        assertThat(done(member.setGuards(SOON, () -> {}))).isNull();
        world.serves("10.0.1.2");
        assertThat(done(member.checkPreconditions())).isEqualTo("control-plane member cp-3 does not serve the API");
        world.serves("10.0.1.2", "10.0.1.3");
        world.workload.refuse("GET /readyz/etcd", 500);
        assertThat(done(member.checkPreconditions()))
                .isEqualTo("the datastore is not healthy (/readyz/etcd): 500 rejected by the test");
        world.workload.refuse("GET /readyz/etcd", 403);
        assertThat(done(member.checkPreconditions()))
                .isEqualTo("the datastore is not healthy (/readyz/etcd): 403 rejected by the test; apply"
                        + " deploy/node-worker/rbac-workload.yaml");
        assertThat(done(member.checkPreconditions())).isNull();
    }

    @Test
    void readsAnOwnerInTheServedVersion() throws Exception {
        JsonObject machine = SampleObjects.memberMachine("u-cp", "cp-1");
        machine.getJsonObject("metadata")
                .getJsonArray("ownerReferences")
                .getJsonObject(0)
                .put("apiVersion", "controlplane.cluster.x-k8s.io/v1beta1");
        world.management.put(MACHINE.replace("m-1", "m-cp"), machine);
        NodeUpgrader member = world.member();
        assertThat(done(member.setGuards(SOON, () -> {}))).isNull();
        assertThat(done(member.checkPreconditions())).isNull();
    }

    @Test
    void memberIsReadyOnceItServesTheApi() throws Exception {
        NodeUpgrader member = world.member();
        Instant changed = TwoClusterFixture.NOW.minusSeconds(120);
        assertThat(done(member.inspectNode(null))).isEqualTo(WELL);
        assertThat(done(member.inspectNode(changed)))
                .isEqualTo(new NodeInspection.ObservedNode("100", "v1.34.1", false, false));
        world.serves("10.0.1.1");
        assertThat(done(member.inspectNode(changed))).isEqualTo(WELL);
    }

    @Test
    void statusFromBeforeTheChangeProvesNothingButALeaseMay() throws Exception {
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW.minusSeconds(61))))
                .isEqualTo(WELL);
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW.minusSeconds(10))))
                .isEqualTo(WELL);
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW.minusSeconds(4))))
                .isEqualTo(new NodeInspection.ObservedNode("100", "v1.34.1", false, false));
    }

    @Test
    void kubeletOfAnotherVersionHasReportedSinceTheChange() throws Exception {
        assertThat(done(nodeUpgrader.inspectNode(null))).isEqualTo(WELL);
        world.workload.put(
                NODE, SampleObjects.node("200", "v1.34.2", TwoClusterFixture.NOW.minusSeconds(6), "10.0.0.1"));
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW.minusSeconds(4))))
                .isEqualTo(new NodeInspection.ObservedNode("200", "v1.34.2", true, false));
        assertThat(done(world.worker(7, "0/b").inspectNode(TwoClusterFixture.NOW.minusSeconds(4))))
                .as("for a client that has not inspected it before")
                .isEqualTo(new NodeInspection.ObservedNode("200", "v1.34.2", false, false));
    }

    @Test
    void reportsADeletedOrReplacedMachine() throws Exception {
        world.management.put(MACHINE, SampleObjects.machine("another", "w-1"));
        assertThat(done(nodeUpgrader.inspectNode(null))).isEqualTo(new NodeInspection.MachineGone());
        world.management.objects.remove(MACHINE);
        assertThat(done(nodeUpgrader.inspectNode(null))).isEqualTo(new NodeInspection.MachineGone());
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isEqualTo("no such machine");
        done(nodeUpgrader.cleanUp());
    }

    @Test
    void nodeThatDisappearsWithItsMachineIsReportedAsDeleted() throws Exception {
        done(nodeUpgrader.inspectNode(null));
        world.workload.objects.remove(NODE);
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW)))
                .isEqualTo(new NodeInspection.Unreachable("there is no Node w-1"));
        world.management.objects.remove(MACHINE);
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW))).isEqualTo(new NodeInspection.MachineGone());
    }

    @Test
    void clusterWithAnUnavailableApiServerIsUnreachable() throws Exception {
        done(nodeUpgrader.inspectNode(null));
        world.workload.close();
        assertThat(done(nodeUpgrader.inspectNode(TwoClusterFixture.NOW)))
                .isInstanceOfSatisfying(
                        NodeInspection.Unreachable.class,
                        unreachable -> assertThat(unreachable.text())
                                .startsWith("the cluster's API server cannot read node w-1: "));
    }

    @Test
    void readsARejectedKubeconfigAgain() throws Exception {
        world.management.put(
                SECRETS + "blue-kubeconfig",
                TwoClusterFixture.secret("value", world.kubeconfig(TwoClusterFixture.CANARY + "-old")));
        assertThat(done(nodeUpgrader.inspectNode(null)))
                .isEqualTo(new NodeInspection.Unreachable(
                        "the cluster's API server cannot read node w-1: 401 Unauthorized"));
        world.management.put(
                SECRETS + "blue-kubeconfig",
                TwoClusterFixture.secret("value", world.kubeconfig(TwoClusterFixture.CANARY)));
        assertThat(done(nodeUpgrader.inspectNode(null))).isEqualTo(WELL);
    }

    @Test
    void failedCleanupCanBeRetried() throws Exception {
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        world.management.refuse("PATCH " + MACHINE, 500);
        world.management.refuse("GET " + MACHINE, 500);
        assertThatThrownBy(() -> done(nodeUpgrader.cleanUp()))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("500 rejected by the test");
        done(nodeUpgrader.cleanUp());
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
    }
}
