package dev.flotilla.nodeworker.k8sd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.testkit.cert.CertificateAuthority;
import org.junit.jupiter.api.Test;

/** Requests over real HTTPS to the simulated k8sd of a node. */
class DirectK8sdConnectionIT {
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision(Integer.toString(SimulatedK8sdNode.NEW));
    private static final K8sdRequest REFRESH = K8sdRequest.refresh(TARGET);

    @Test
    void startsAndPollsAChangeUntilItIsDone() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            assertThat(K8sdResultClassifier.classifyCall(node.ask(REFRESH)))
                    .isEqualTo(new CallResult.ChangeStarted("100"));
            assertThat(K8sdResultClassifier.classifyStatus("100", node.ask(K8sdRequest.status("100"))))
                    .isInstanceOf(ChangeStatus.InProgress.class);
            node.pass(10 * SimulatedK8sdNode.MINUTE);
            assertThat(K8sdResultClassifier.classifyStatus("100", node.ask(K8sdRequest.status("100"))))
                    .isEqualTo(new ChangeStatus.ChangeDone());
            assertThat(node.on(node.node::revision)).isEqualTo(SimulatedK8sdNode.NEW);
            assertThat(K8sdResultClassifier.classifyCall(node.ask(REFRESH))).isEqualTo(new CallResult.NothingToDo());
        }
    }

    @Test
    void usesOneConnectionForAnUpgrade() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            node.ask(REFRESH);
            for (int i = 0; i < 10; i++) {
                node.ask(K8sdRequest.status("100"));
            }
            assertThat(node.server.requests()).isEqualTo(11);
            assertThat(node.server.connections()).isEqualTo(1);
        }
    }

    @Test
    void doesNotQuoteARejectedToken() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            assertThat(K8sdResultClassifier.classifyCall(node.ask(REFRESH, "another-token")))
                    .isInstanceOfSatisfying(CallResult.CallRejected.class, callRejected -> {
                        assertThat(callRejected.reason()).isEqualTo(FailureReason.CREDENTIALS);
                        assertThat(callRejected.text())
                                .contains("invalid token")
                                .doesNotContain("another-token");
                    });
            assertThat(node.ledger.calls()).isEmpty();
        }
    }

    @Test
    void sendsNoTokenToANodeWithAnotherCertificate() throws Exception {
        CertificatePin another =
                SimulatedK8sdNode.pin(CertificateAuthority.create("somebody").issue("node"));
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM, another)) {
            assertThat(node.ask(REFRESH))
                    .isInstanceOfSatisfying(
                            K8sdRequestResult.UntrustedCertificate.class,
                            other -> assertThat(other.reason()).contains("another certificate"));
            assertThat(node.server.requests()).isZero();
        }
    }

    @Test
    void doesNotSendACallAfterItsDeadline() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            assertThat(node.askTooLate(REFRESH)).isInstanceOf(K8sdRequestResult.RequestNotSent.class);
            assertThat(node.server.requests()).isZero();
            assertThat(K8sdResultClassifier.classifyCall(node.ask(REFRESH)))
                    .as("the line is still good")
                    .isEqualTo(new CallResult.ChangeStarted("100"));
        }
    }

    @Test
    void lostResponseLeavesTheOutcomeUnknown() throws Exception {
        NodeFaultProfile loses = new NodeFaultProfile(5 * SimulatedK8sdNode.MINUTE, 0, false, 0, 0, 0, 0, 0, 100, 0, 0);
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(loses)) {
            K8sdRequestResult k8sdRequestResult = node.ask(REFRESH);
            assertThat(k8sdRequestResult).isInstanceOf(K8sdRequestResult.ConnectionBroken.class);
            assertThat(K8sdResultClassifier.classifyCall(k8sdRequestResult)).isInstanceOf(CallResult.NoAnswer.class);
            assertThat(node.ledger.calls()).singleElement().satisfies(call -> {
                assertThat(call.effective()).isTrue();
                assertThat(call.responseDelivered()).isFalse();
            });
        }
    }

    @Test
    void aNodeThatRefreshesByItselfRefusesForNow() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            node.on(() -> {
                node.node.startUnsolicitedRefresh(SimulatedK8sdNode.NEW);
                return true;
            });
            assertThat(K8sdResultClassifier.classifyCall(node.ask(REFRESH))).isInstanceOf(CallResult.NodeBusy.class);
        }
    }

    @Test
    void aDatabaseThatWaitsForOtherMembersMeansThatNothingHasBegun() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            node.on(() -> {
                node.k8sd.closeDatabase(
                        "Database is waiting for an upgrade: 2 cluster members have not yet received the update");
                return true;
            });
            assertThat(K8sdResultClassifier.classifyCall(node.ask(REFRESH))).isInstanceOf(CallResult.NotSent.class);
            assertThat(node.ledger.calls()).isEmpty();
        }
    }

    @Test
    void aNodeThatRestartsIsAskedAgainOnANewConnection() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            node.ask(REFRESH);
            node.on(() -> {
                node.node.makeUnreachable(SimulatedK8sdNode.MINUTE);
                return true;
            });
            assertThat(K8sdResultClassifier.classifyStatus("100", node.ask(K8sdRequest.status("100"))))
                    .isInstanceOf(ChangeStatus.StatusUnavailable.class);
            node.pass(10 * SimulatedK8sdNode.MINUTE);
            assertThat(K8sdResultClassifier.classifyStatus("100", node.ask(K8sdRequest.status("100"))))
                    .isEqualTo(new ChangeStatus.ChangeDone());
            assertThat(node.server.connections()).isEqualTo(2);
        }
    }

    @Test
    void reportsNothingSentIfTheConnectionIsRefused() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM)) {
            SimulatedK8sdNode.done(node.server.stop());
            assertThat(K8sdResultClassifier.classifyCall(node.ask(REFRESH))).isInstanceOf(CallResult.NotSent.class);
        }
    }

    @Test
    void reportsTheErrorOfAChange() throws Exception {
        try (SimulatedK8sdNode node = new SimulatedK8sdNode(SimulatedK8sdNode.CALM.alwaysFailing())) {
            node.ask(REFRESH);
            node.pass(20 * SimulatedK8sdNode.MINUTE);
            assertThat(K8sdResultClassifier.classifyStatus("100", node.ask(K8sdRequest.status("100"))))
                    .isInstanceOfSatisfying(
                            ChangeStatus.ChangeFailed.class,
                            changeFailed -> assertThat(changeFailed.text()).startsWith("change 100 is "));
        }
    }
}
