package dev.flotilla.nodeworker.k8sd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.testkit.cert.Authority;
import org.junit.jupiter.api.Test;

/** Requests over real HTTPS to the simulated k8sd of a node. */
class NodeLineIT {
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision(Integer.toString(OneNode.NEW));
    private static final Request REFRESH = Request.refresh(TARGET);

    @Test
    void aChangeBeginsGoesOnAndIsDone() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            assertThat(Verdicts.ofCall(node.ask(REFRESH))).isEqualTo(new CallResult.ChangeStarted("100"));
            assertThat(Verdicts.ofStatus("100", node.ask(Request.status("100"))))
                    .isInstanceOf(ChangeStatus.InProgress.class);
            node.pass(10 * OneNode.MINUTE);
            assertThat(Verdicts.ofStatus("100", node.ask(Request.status("100"))))
                    .isEqualTo(new ChangeStatus.ChangeDone());
            assertThat(node.on(node.node::revision)).isEqualTo(OneNode.NEW);
            assertThat(Verdicts.ofCall(node.ask(REFRESH))).isEqualTo(new CallResult.NothingToDo());
        }
    }

    @Test
    void oneConnectionServesAllQuestionsOfAnUpgrade() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            node.ask(REFRESH);
            for (int i = 0; i < 10; i++) {
                node.ask(Request.status("100"));
            }
            assertThat(node.server.requests()).isEqualTo(11);
            assertThat(node.server.connections()).isEqualTo(1);
        }
    }

    @Test
    void anotherTokenIsRefusedAndNotRepeatedInTheText() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            assertThat(Verdicts.ofCall(node.ask(REFRESH, "another-token")))
                    .isInstanceOfSatisfying(CallResult.CallRejected.class, callRejected -> {
                        assertThat(callRejected.reason()).isEqualTo(FailureReason.CREDENTIALS);
                        assertThat(callRejected.text()).contains("invalid token").doesNotContain("another-token");
                    });
            assertThat(node.ledger.calls()).isEmpty();
        }
    }

    @Test
    void aNodeThatShowsAnotherCertificateNeverSeesTheToken() throws Exception {
        Pin another = OneNode.pin(Authority.create("somebody").issue("node"));
        try (OneNode node = new OneNode(OneNode.CALM, another)) {
            assertThat(node.ask(REFRESH))
                    .isInstanceOfSatisfying(
                            Exchange.Untrusted.class,
                            other -> assertThat(other.why()).contains("another certificate"));
            assertThat(node.server.requests()).isZero();
        }
    }

    @Test
    void aCallWhoseTimeHasPassedIsNotSent() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            assertThat(node.askTooLate(REFRESH)).isInstanceOf(Exchange.NotSent.class);
            assertThat(node.server.requests()).isZero();
            assertThat(Verdicts.ofCall(node.ask(REFRESH)))
                    .as("the line is still good")
                    .isEqualTo(new CallResult.ChangeStarted("100"));
        }
    }

    @Test
    void anAnswerThatIsLostLeavesTheOutcomeUnknown() throws Exception {
        NodeTemper loses = new NodeTemper(5 * OneNode.MINUTE, 0, false, 0, 0, 0, 0, 0, 100, 0, 0);
        try (OneNode node = new OneNode(loses)) {
            Exchange exchange = node.ask(REFRESH);
            assertThat(exchange).isInstanceOf(Exchange.Broken.class);
            assertThat(Verdicts.ofCall(exchange)).isInstanceOf(CallResult.NoAnswer.class);
            assertThat(node.ledger.calls()).singleElement().satisfies(call -> {
                assertThat(call.effective()).isTrue();
                assertThat(call.told()).isFalse();
            });
        }
    }

    @Test
    void aNodeThatRefreshesByItselfRefusesForNow() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            node.on(() -> {
                node.node.refreshesItself(OneNode.NEW);
                return true;
            });
            assertThat(Verdicts.ofCall(node.ask(REFRESH))).isInstanceOf(CallResult.NodeBusy.class);
        }
    }

    @Test
    void aDatabaseThatWaitsForOtherMembersMeansThatNothingHasBegun() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            node.on(() -> {
                node.k8sd.close(
                        "Database is waiting for an upgrade: 2 cluster members have not yet received the update");
                return true;
            });
            assertThat(Verdicts.ofCall(node.ask(REFRESH))).isInstanceOf(CallResult.NotSent.class);
            assertThat(node.ledger.calls()).isEmpty();
        }
    }

    @Test
    void aNodeThatRestartsIsAskedAgainOnANewConnection() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            node.ask(REFRESH);
            node.on(() -> {
                node.node.away(OneNode.MINUTE);
                return true;
            });
            assertThat(Verdicts.ofStatus("100", node.ask(Request.status("100"))))
                    .isInstanceOf(ChangeStatus.StatusUnavailable.class);
            node.pass(10 * OneNode.MINUTE);
            assertThat(Verdicts.ofStatus("100", node.ask(Request.status("100"))))
                    .isEqualTo(new ChangeStatus.ChangeDone());
            assertThat(node.server.connections()).isEqualTo(2);
        }
    }

    @Test
    void whereNobodyListensNothingIsSent() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM)) {
            OneNode.done(node.server.stop());
            assertThat(Verdicts.ofCall(node.ask(REFRESH))).isInstanceOf(CallResult.NotSent.class);
        }
    }

    @Test
    void anErrorComesWithItsReason() throws Exception {
        try (OneNode node = new OneNode(OneNode.CALM.alwaysFailing())) {
            node.ask(REFRESH);
            node.pass(20 * OneNode.MINUTE);
            assertThat(Verdicts.ofStatus("100", node.ask(Request.status("100"))))
                    .isInstanceOfSatisfying(
                            ChangeStatus.ChangeFailed.class,
                            changeFailed -> assertThat(changeFailed.text()).startsWith("change 100 is "));
        }
    }
}
