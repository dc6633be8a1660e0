package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.ControlPlaneComponent;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.nodeworker.stub.NodeUpgradeApiStub;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeUpgradeProviderClientIT {
    private static final Instant SOON = TwoClusterFixture.NOW.plusSeconds(600);
    private static final String NAME = NodeUpgradeApiStub.objectName(7);
    private static final String OBJECT = NodeUpgradeApiStub.OBJECTS + "/" + NAME;
    private static final String PODS = "/api/v1/namespaces/kube-system/pods/";

    private TwoClusterFixture world;
    private NodeUpgrader nodeUpgrader;

    @BeforeEach
    void start() throws Exception {
        world = new TwoClusterFixture();
        NodeUpgradeApiStub.serve(world.management);
        nodeUpgrader = world.upgrader(NodeUpgradeApiStub.worker(7, NodeUpgradeApiStub.REF), false);
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    private void call() throws Exception {
        assertThat(done(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(done(nodeUpgrader.callUpgrade(NodeUpgradeApiStub.TARGET, () -> true)))
                .isEqualTo(new CallResult.ChangeStarted(NAME));
    }

    private void report(String status) {
        NodeUpgradeApiStub.report(world.management, OBJECT, status);
    }

    @Test
    void createsOneObjectAndReadsItsStatus() throws Exception {
        assertThat(done(nodeUpgrader.inspectNode(null))).isInstanceOf(NodeInspection.ObservedNode.class);
        assertThat(done(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(NodeUpgradeApiStub.objects(world.management)).isEmpty();
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(done(nodeUpgrader.checkPreconditions())).isNull();
        assertThat(done(nodeUpgrader.callUpgrade(NodeUpgradeApiStub.TARGET, () -> true)))
                .isEqualTo(new CallResult.ChangeStarted(NAME));
        assertThat(NodeUpgradeApiStub.objects(world.management)).containsExactly(OBJECT);
        report("{'phase': 'Running', 'lastHeartbeat': '" + world.now + "'}");
        assertThat(done(nodeUpgrader.pollChange(NAME)))
                .isEqualTo(new ChangeStatus.InProgress("NodeUpgrade " + NAME + " is Running"));
        report("{'phase': 'Succeeded'}");
        assertThat(done(nodeUpgrader.pollChange(NAME))).isEqualTo(new ChangeStatus.ChangeDone());
        world.management.objects.remove(OBJECT);
        assertThat(done(nodeUpgrader.pollChange(NAME))).isEqualTo(new ChangeStatus.ChangeForgotten());
        done(nodeUpgrader.cleanUp());
        assertThat(world.management.annotation(TwoClusterFixture.MACHINE, "flotilla.dev/attempt"))
                .isNull();
    }

    /** Its control plane has no Machines, so that only its API server tells. */
    @ParameterizedTest
    @CsvSource({"v1.35.9, false", "v1.36.0, true", "v1.37.1, true"})
    void aWorkerIsNotUpgradedPastTheApiServer(String version, boolean passes) throws Exception {
        world.workload.put("/version", SampleObjects.json("{'major': '1', 'gitVersion': '" + version + "'}"));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        String problem = done(nodeUpgrader.checkPreconditions());
        if (passes) {
            assertThat(problem).isNull();
        } else {
            assertThat(problem)
                    .isEqualTo("the API server of the cluster runs v1.35.9, and the target is v1.36.3: upgrade the"
                            + " control plane first");
        }
    }

    @Test
    void neverUsesK8sd() throws Exception {
        call();
        assertThat(world.management.asked())
                .noneMatch(request -> request.contains("token") || request.contains("pins"));
        assertThat(world.workload.asked()).noneMatch(request -> request.contains("proxy"));
    }

    @Test
    void objectOfAnotherMachineTellsNothing() throws Exception {
        call();
        world.management
                .objects
                .get(OBJECT)
                .getJsonObject("spec")
                .getJsonObject("machine")
                .put("uid", "u-2");
        report("{'phase': 'Succeeded'}");
        assertThat(done(nodeUpgrader.pollChange(NAME)))
                .isEqualTo(new ChangeStatus.StatusUnavailable(
                        "NodeUpgrade " + NAME + " is of another machine or attempt"));
    }

    @Test
    void abortsOnceAndAwaitsTheEnd() throws Exception {
        call();
        report("{'phase': 'Running', 'lastHeartbeat': '" + world.now + "'}");
        assertThat(done(nodeUpgrader.abortChange(NAME))).isInstanceOf(ChangeStatus.InProgress.class);
        assertThat(done(nodeUpgrader.abortChange(NAME))).isInstanceOf(ChangeStatus.InProgress.class);
        assertThat(world.management.objects.get(OBJECT).getJsonObject("spec").getString("phase"))
                .isEqualTo("Abort");
        assertThat(world.management.asked())
                .filteredOn(request -> request.startsWith("PATCH "))
                .containsExactly("PATCH " + OBJECT);
        report("{'phase': 'Aborted', 'failureMessage': 'before step restart'}");
        assertThat(done(nodeUpgrader.abortChange(NAME)))
                .isEqualTo(new ChangeStatus.ChangeAborted("NodeUpgrade " + NAME + " was aborted: before step restart"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Succeeded", "Failed", "Aborted"})
    void anEndIsNotAborted(String phase) throws Exception {
        call();
        report("{'phase': '" + phase + "'}");
        done(nodeUpgrader.abortChange(NAME));
        assertThat(world.management.asked()).noneMatch(request -> request.startsWith("PATCH "));
    }

    private ConnectResult connect(NodeUpgradeTemplateRef template) throws Exception {
        return done(
                world.upgrader(NodeUpgradeApiStub.worker(8, template), false).connectToProvider());
    }

    private void waitsForAPerson(NodeUpgradeTemplateRef template, String text) throws Exception {
        assertThat(connect(template))
                .isInstanceOfSatisfying(
                        ConnectResult.NotConfigured.class,
                        notConfigured -> assertThat(notConfigured.text()).contains(text));
        assertThat(NodeUpgradeApiStub.objects(world.management)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "flotilla.dev/v1alpha1, NodeUpgradeTemplate, none, 'there is no NodeUpgradeTemplate fleet/none'",
        "flotilla.dev/v1alpha1, ClusterRole, kubeadm, 'ClusterRole does not end in Template'",
        "flotilla.dev/v1alpha1, Template, kubeadm, 'does not end in Template'",
        "flotilla.dev/v1alpha1, OtherTemplate, kubeadm, 'does not serve kind OtherTemplate of flotilla.dev/v1alpha1'",
        "flotilla.dev/v9, NodeUpgradeTemplate, kubeadm, 'does not serve flotilla.dev/v9'",
        "v1, PodTemplate, kubeadm, 'has no API group and version'",
        "../v1, PodTemplate, kubeadm, 'has no API group and version'",
        "flotilla.dev/v1/x, PodTemplate, kubeadm, 'has no API group and version'"
    })
    void aTemplateThatCannotBeUsedWaitsForAPersonWithTheReason(String apiVersion, String kind, String name, String text)
            throws Exception {
        waitsForAPerson(new NodeUpgradeTemplateRef(apiVersion, kind, name), text);
    }

    @Test
    void aCommandWithoutATemplateIsRefused() throws Exception {
        assertThat(connect(null)).isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, refused -> {
            assertThat(refused.failureClass()).isEqualTo(FailureClass.TERMINAL);
            assertThat(refused.reason()).isEqualTo(FailureReason.REFRESH_REJECTED);
            assertThat(refused.text()).contains("the policy's providers must have a rule with one");
        });
        assertThat(NodeUpgradeApiStub.objects(world.management)).isEmpty();
    }

    @Test
    void aKindCountsOnlyWithTheContractsLabel() throws Exception {
        world.management.put(NodeUpgradeApiStub.DEFINITION, SampleObjects.json("{'metadata': {'labels': {}}}"));
        waitsForAPerson(NodeUpgradeApiStub.REF, "CRD nodeupgrades.flotilla.dev has no label flotilla.dev/node-upgrade");
        world.management.put(
                NodeUpgradeApiStub.DEFINITION,
                SampleObjects.json("{'metadata': {'labels': {'flotilla.dev/node-upgrade': 'v2'}}}"));
        waitsForAPerson(NodeUpgradeApiStub.REF, "has label flotilla.dev/node-upgrade: v2, which must be v1");
        world.management.objects.remove(NodeUpgradeApiStub.DEFINITION);
        waitsForAPerson(NodeUpgradeApiStub.REF, "there is no CRD nodeupgrades.flotilla.dev");
    }

    @ParameterizedTest
    @CsvSource({
        NodeUpgradeApiStub.DEFINITION + ", apply deploy/node-worker/rbac-management.yaml",
        NodeUpgradeApiStub.TEMPLATE + ", flotilla.dev/aggregate-to-node-worker"
    })
    void whatItMayNotReadMayBeAllowedLater(String path, String wayOut) throws Exception {
        world.management.refuse("GET " + path, 403);
        assertThat(connect(NodeUpgradeApiStub.REF))
                .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, refused -> {
                    assertThat(refused.failureClass()).isEqualTo(FailureClass.RETRYABLE);
                    assertThat(refused.reason()).isEqualTo(FailureReason.CREDENTIALS);
                    assertThat(refused.text()).contains("403", wayOut);
                });
        assertThat(connect(NodeUpgradeApiStub.REF)).isEqualTo(new ConnectResult.Connected());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'spec': {}}", "{'spec': {'template': {'spec': 'kubeadm'}}}", "{}"})
    void aTemplateWithoutASpecWaitsForAPerson(String template) throws Exception {
        world.management.put(NodeUpgradeApiStub.TEMPLATE, SampleObjects.json(template));
        waitsForAPerson(NodeUpgradeApiStub.REF, "has no object spec.template.spec");
    }

    @ParameterizedTest
    @ValueSource(strings = {NodeUpgradeApiStub.API, NodeUpgradeApiStub.DEFINITION, NodeUpgradeApiStub.TEMPLATE})
    void whatCannotBeReadNowIsReadAgain(String path) throws Exception {
        world.management.refuse("GET " + path, 500);
        assertThat(connect(NodeUpgradeApiStub.REF)).isInstanceOf(ConnectResult.NotReachable.class);
        assertThat(connect(NodeUpgradeApiStub.REF)).isEqualTo(new ConnectResult.Connected());
    }

    private void putPod(String component, String image, String ready) {
        JsonObject pod = SampleObjects.pod("cp-1");
        pod.getJsonObject("metadata")
                .put("labels", new JsonObject().put("component", component).put("tier", "control-plane"));
        pod.getJsonObject("spec")
                .put(
                        "containers",
                        SampleObjects.json("{'a': [{'name': '" + component + "', 'image': '" + image + "'}]}")
                                .getJsonArray("a"));
        pod.put("status", SampleObjects.json("{'conditions': [{'type': 'Ready', 'status': '" + ready + "'}]}"));
        world.workload.put(PODS + component + "-cp-1", pod);
    }

    @Test
    void aMembersStaticPodsAreInspected() throws Exception {
        putPod("kube-apiserver", "registry:5000/kube-apiserver:v1.36.3@sha256:00", "True");
        putPod("kube-controller-manager", "registry:5000/kube-controller-manager", "True");
        putPod("kube-scheduler", "registry.k8s.io/kube-scheduler:v1.36.2", "False");
        putPod("etcd", "registry.k8s.io/etcd:3.6.1-0", "True");
        world.serves("10.0.1.1", "10.0.1.2", "10.0.1.3");
        NodeInspection inspection =
                done(world.upgrader(NodeUpgradeApiStub.member(7), false).inspectNode(null));
        assertThat(inspection)
                .isInstanceOfSatisfying(
                        NodeInspection.ObservedNode.class,
                        node -> assertThat(node.components())
                                .isEqualTo(List.of(
                                        new ControlPlaneComponent("kube-apiserver", "v1.36.3", true),
                                        new ControlPlaneComponent("kube-controller-manager", null, true),
                                        new ControlPlaneComponent("kube-scheduler", "v1.36.2", false))));
    }

    /** The other members show no revision, because none has k8sd. */
    @Test
    void aMemberOfAnotherProviderWaitsForNoPeers() throws Exception {
        for (String node : List.of("cp-1", "cp-2", "cp-3")) {
            JsonObject member = world.workload.objects.get("/api/v1/nodes/" + node);
            member.getJsonObject("metadata").remove("annotations");
            world.workload.put("/api/v1/nodes/" + node, member);
        }
        world.serves("10.0.1.1", "10.0.1.2", "10.0.1.3");
        world.pass(60_000);
        world.workload.put(TwoClusterFixture.lease("cp-1"), SampleObjects.lease(world.now));
        NodeInspection inspection = done(
                world.upgrader(NodeUpgradeApiStub.member(7), false).inspectNode(TwoClusterFixture.NOW.plusSeconds(30)));
        assertThat(inspection).isInstanceOfSatisfying(NodeInspection.ObservedNode.class, node -> {
            assertThat(node.ready()).isTrue();
            assertThat(node.silentPeer()).isNull();
        });
    }

    @Test
    void aMemberWhosePodsCannotBeListedIsUnreadable() throws Exception {
        world.workload.refuse("GET /api/v1/namespaces/kube-system/pods", 403);
        assertThat(done(world.upgrader(NodeUpgradeApiStub.member(7), false).inspectNode(null)))
                .isInstanceOfSatisfying(
                        NodeInspection.Unreachable.class,
                        unreachable -> assertThat(unreachable.text()).contains("cannot be listed: 403"));
    }

    @Test
    void onlyASuccessSaysWhichDescriptionWasApplied() throws Exception {
        String hash = "sha256:" + "4f".repeat(32);
        UpgradeTarget target = UpgradeTarget.parse("spec=" + hash);
        NodeUpgrader specUpgrader = world.upgrader(NodeUpgradeApiStub.worker(9, NodeUpgradeApiStub.REF, target), false);
        done(specUpgrader.connectToProvider());
        CallResult.ChangeStarted started =
                (CallResult.ChangeStarted) done(specUpgrader.callUpgrade(target, () -> true));
        String path = NodeUpgradeApiStub.OBJECTS + "/" + started.changeId();
        NodeUpgradeApiStub.report(world.management, path, "{'phase': 'Running', 'observedSpec': '" + hash + "'}");
        done(specUpgrader.pollChange(started.changeId()));
        assertThat(observedSpec(specUpgrader)).isEqualTo("none");
        NodeUpgradeApiStub.report(world.management, path, "{'phase': 'Succeeded', 'observedSpec': '" + hash + "'}");
        done(specUpgrader.pollChange(started.changeId()));
        assertThat(observedSpec(specUpgrader)).isEqualTo(hash);
        // A worker that continues with the verification has not polled.
        assertThat(observedSpec(world.upgrader(NodeUpgradeApiStub.worker(9, NodeUpgradeApiStub.REF, target), true)))
                .isEqualTo(hash);
    }

    private static String observedSpec(NodeUpgrader upgrader) throws Exception {
        return done(upgrader.inspectNode(null)) instanceof NodeInspection.ObservedNode node
                ? Objects.requireNonNullElse(node.observedSpec(), "none")
                : "unreadable";
    }

    @Test
    void evidenceShowsTheObjectAndItsSteps() throws Exception {
        call();
        report("{'phase': 'Failed', 'failureReason': 'StepFailed', 'steps': [{'name': 'upgrade', 'state': 'Failed'}]}");
        done(nodeUpgrader.pollChange(NAME));
        assertThat(done(nodeUpgrader.collectEvidence()).nodeUpgrade()).contains("step upgrade: Failed");
        assertThat(done(nodeUpgrader.collectEvidence()).k8sdExchanges()).isEmpty();
        assertThat(world.workload.asked()).contains("GET " + NODE);
    }
}
