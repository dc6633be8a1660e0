package dev.flotilla.nodeworker.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.kubernetes.ApiReachability;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.node.NodeFaultProfile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Routes to unpinned nodes of an embedded fleet: real WebSockets to its API servers, real TLS to its k8sd. */
class K8sdRouteIT {
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision("1100");

    private UnpinnedTestFleet world;

    private void start(K8sdTransportSetting k8sdTransportSetting, int tunnels) throws Exception {
        world = new UnpinnedTestFleet(k8sdTransportSetting, tunnels);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void upgradesAnUnpinnedMachineThroughTheProxy() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode node = world.worker(0);
        NodeUpgrader nodeUpgrader = world.upgrader(node);
        assertThat(world.get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(world.pins(node)).as("pinned").contains(node.name());
        CallResult callResult = world.get(nodeUpgrader.callUpgrade(TARGET, () -> true));
        assertThat(callResult).isInstanceOf(CallResult.ChangeStarted.class);
        String change = ((CallResult.ChangeStarted) callResult).changeId();
        for (int i = 0; i < 5; i++) {
            assertThat(world.get(nodeUpgrader.pollChange(change))).isInstanceOf(ChangeStatus.InProgress.class);
        }
        assertThat(world.forwards(node))
                .as("one to see the certificate, one for everything until k8sd restarts")
                .isEqualTo(2);
        assertThat(world.end(nodeUpgrader, change)).isEqualTo(new ChangeStatus.ChangeDone());
        assertThat(world.calls(node)).isEqualTo(1);
    }

    @Test
    void sendsDirectlyToAPinnedMachine() throws Exception {
        start(K8sdTransportSetting.AUTO, 10);
        EmbeddedNode node = world.worker(0);
        NodeUpgrader nodeUpgrader = world.upgrader(node);
        assertThat(world.get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        long atFirst = world.forwards(node);
        assertThat(world.get(nodeUpgrader.callUpgrade(TARGET, () -> true)))
                .isInstanceOf(CallResult.ChangeStarted.class);
        assertThat(atFirst).as("to see the certificate").isEqualTo(1);
        assertThat(world.forwards(node)).isEqualTo(atFirst);
    }

    @Test
    void fallsBackToTheProxy() throws Exception {
        start(K8sdTransportSetting.AUTO, 10);
        world.closeDirectRoute();
        EmbeddedNode node = world.worker(0);
        NodeUpgrader nodeUpgrader = world.upgrader(node);
        assertThat(world.get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(world.get(nodeUpgrader.callUpgrade(TARGET, () -> true)))
                .isInstanceOf(CallResult.ChangeStarted.class);
        assertThat(world.forwards(node)).isEqualTo(2);
    }

    @Test
    void readsTheCertificateOfAControlPlaneOnce() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode first = world.member(0);
        assertThat(world.get(world.upgrader(first).connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(world.forwards(first)).isEqualTo(2);
        assertThat(world.get(world.upgrader(world.member(1)).connectToProvider()))
                .isEqualTo(new ConnectResult.Connected());
        assertThat(world.forwards(first)).as("of the cluster").isEqualTo(3);
        assertThat(world.pins(first)).contains("_control-plane").doesNotContain(first.name());
    }

    @Test
    void reopensATunnelAfterAnApiServerOutage() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode node = world.worker(0);
        NodeUpgrader nodeUpgrader = world.upgrader(node);
        CallResult callResult = world.get(nodeUpgrader.callUpgrade(TARGET, () -> true));
        world.on(() -> node.cluster().workload().reachability(ApiReachability.RESETS));
        assertThat(world.get(nodeUpgrader.pollChange("1"))).isInstanceOf(ChangeStatus.StatusUnavailable.class);
        assertThat(world.get(nodeUpgrader.connectToProvider())).isInstanceOf(ConnectResult.NotReachable.class);
        world.on(() -> node.cluster().workload().reachability(ApiReachability.ANSWERS));
        assertThat(world.end(nodeUpgrader, ((CallResult.ChangeStarted) callResult).changeId()))
                .isEqualTo(new ChangeStatus.ChangeDone());
    }

    @Test
    void callThroughAnUnreachableApiServerIsNotSent() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode node = world.worker(0);
        NodeUpgrader nodeUpgrader = world.upgrader(node);
        assertThat(world.get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        world.on(() -> node.cluster().workload().reachability(ApiReachability.RESETS));
        assertThat(world.get(nodeUpgrader.connectToProvider())).isInstanceOf(ConnectResult.NotReachable.class);
        assertThat(world.get(nodeUpgrader.callUpgrade(TARGET, () -> true))).isInstanceOf(CallResult.NotSent.class);
        assertThat(world.calls(node)).isZero();
    }

    @Test
    void callOverABrokenTunnelHasAnUnknownOutcome() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode node = world.worker(0);
        world.on(() -> node.node().setFaultProfile(new NodeFaultProfile(60_000, 0, false, 0, 0, 0, 0, 0, 100, 0, 0)));
        assertThat(world.get(world.upgrader(node).callUpgrade(TARGET, () -> true)))
                .isInstanceOf(CallResult.NoAnswer.class);
        assertThat(world.calls(node)).isEqualTo(1);
    }

    @Test
    void namesANodeWithoutAProxyPod() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode node = world.worker(0);
        world.on(() -> node.cluster().workload().store().remove(proxy(node)));
        assertThat(world.get(world.upgrader(node).connectToProvider()))
                .isInstanceOfSatisfying(
                        ConnectResult.NotReachable.class,
                        notReachable -> assertThat(notReachable.text())
                                .contains("there is no k8sd-proxy pod on node " + node.name()));
    }

    @Test
    void aProxyPodThatDoesNotRunIsNamed() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode node = world.worker(0);
        world.on(() -> node.cluster()
                .workload()
                .store()
                .change(proxy(node), pod -> ImmutableJson.with(pod, "Pending", "status", "phase")));
        assertThat(world.get(world.upgrader(node).connectToProvider()))
                .isInstanceOfSatisfying(
                        ConnectResult.NotReachable.class,
                        notReachable -> assertThat(notReachable.text())
                                .contains("pod k8sd-proxy-" + node.name() + " of node " + node.name() + " is Pending"));
    }

    @Test
    void aPortThatCannotBeForwardedIsToldAsTheApiServerTellsIt() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        EmbeddedNode node = world.worker(0);
        world.on(() -> node.cluster().workload().setPortForwardResolver((pod, port) -> null));
        assertThat(world.get(world.upgrader(node).connectToProvider()))
                .isInstanceOfSatisfying(
                        ConnectResult.NotReachable.class,
                        notReachable -> assertThat(notReachable.text()).contains("500 error forwarding port"));
    }

    @Test
    void nodeWithAnotherCertificateGetsNoTokenAndReportsTheFix() throws Exception {
        start(K8sdTransportSetting.AUTO, 10);
        EmbeddedNode node = world.worker(0);
        world.pinAnother(node);
        int before = world.requests();
        assertThat(world.get(world.upgrader(node).connectToProvider()))
                .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, connectionRefused -> {
                    assertThat(connectionRefused.reason()).isEqualTo(FailureReason.CREDENTIALS);
                    assertThat(connectionRefused.text())
                            .contains("another certificate")
                            .endsWith("flotilla machine trust --reset " + node.machine());
                });
        assertThat(world.requests()).as("what its k8sd was asked").isEqualTo(before);
        world.resetTrust(node);
        assertThat(world.get(world.upgrader(node).connectToProvider())).isEqualTo(new ConnectResult.Connected());
    }

    @Test
    void readsAReplacedTokenAgain() throws Exception {
        start(K8sdTransportSetting.AUTO, 10);
        EmbeddedNode node = world.worker(0);
        NodeUpgrader nodeUpgrader = world.upgrader(node);
        world.token(node, "of-another-day");
        assertThat(world.get(nodeUpgrader.connectToProvider()))
                .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, connectionRefused -> {
                    assertThat(connectionRefused.reason()).isEqualTo(FailureReason.CREDENTIALS);
                    assertThat(connectionRefused.text())
                            .contains("invalid token")
                            .doesNotContain("of-another-day");
                });
        world.token(node, node.token());
        assertThat(world.get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
    }

    @Test
    void whereNoMoreTunnelsMayBeOpenTheOneThatIsIdleIsClosed() throws Exception {
        start(K8sdTransportSetting.PROXY, 1);
        NodeUpgrader one = world.upgrader(world.worker(0));
        NodeUpgrader other = world.upgrader(world.worker(1));
        for (int i = 0; i < 3; i++) {
            assertThat(world.get(one.connectToProvider())).isEqualTo(new ConnectResult.Connected());
            assertThat(world.get(other.connectToProvider())).isEqualTo(new ConnectResult.Connected());
            assertThat(world.tunnels()).isEqualTo(1);
        }
        other.releaseNode();
        assertThat(world.get(one.connectToProvider())).isEqualTo(new ConnectResult.Connected());
    }

    @Test
    void nothingThatListensIsOffTheLoopback() throws Exception {
        start(K8sdTransportSetting.PROXY, 10);
        int before = ListeningPorts.sockets().size();
        assertThat(world.get(world.upgrader(world.worker(0)).connectToProvider()))
                .isEqualTo(new ConnectResult.Connected());
        assertThat(ListeningPorts.sockets())
                .as("the near end of the tunnel is among them")
                .hasSizeGreaterThan(before)
                .allMatch(ListeningPorts::isOnTheLoopback);
    }

    private static ObjectReference proxy(EmbeddedNode node) {
        return BuiltInResources.PODS.named("kube-system", "k8sd-proxy-" + node.name());
    }
}
