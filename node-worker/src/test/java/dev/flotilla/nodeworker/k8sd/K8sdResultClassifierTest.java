package dev.flotilla.nodeworker.k8sd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that k8sd is known to say, and what else may come instead, with what it means for an attempt. */
class K8sdResultClassifierTest {
    static Stream<GoldenExchange> calls() {
        return GoldenExchange.in("refresh.txt");
    }

    static Stream<GoldenExchange> questions() {
        return GoldenExchange.in("refresh-status.txt");
    }

    static Stream<GoldenExchange> probes() {
        return GoldenExchange.in("probe.txt");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void classifiesCallResponses(GoldenExchange goldenExchange) {
        K8sdRequest k8sdRequest = K8sdRequest.refresh(UpgradeTarget.parse(goldenExchange.asked()));
        assertThat(k8sdRequest.path()).isEqualTo("/1.0/snap/refresh");
        assertThat(new String(k8sdRequest.body(), StandardCharsets.UTF_8)).isEqualTo(goldenExchange.body());
        assertThat(K8sdResultClassifier.classifyCall(goldenExchange.exchange())).hasToString(goldenExchange.meaning());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("questions")
    void classifiesStatusResponses(GoldenExchange goldenExchange) {
        K8sdRequest k8sdRequest = K8sdRequest.status(goldenExchange.asked());
        assertThat(k8sdRequest.path()).isEqualTo("/1.0/snap/refresh-status");
        assertThat(new String(k8sdRequest.body(), StandardCharsets.UTF_8)).isEqualTo(goldenExchange.body());
        assertThat(K8sdResultClassifier.classifyStatus(goldenExchange.asked(), goldenExchange.exchange()))
                .hasToString(goldenExchange.meaning());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("probes")
    void classifiesProbeResponses(GoldenExchange goldenExchange) {
        assertThat(K8sdRequest.probe()).isEqualTo(K8sdRequest.status(goldenExchange.asked()));
        assertThat(new String(K8sdRequest.probe().body(), StandardCharsets.UTF_8))
                .isEqualTo(goldenExchange.body());
        assertThat(K8sdResultClassifier.classifyConnect(goldenExchange.exchange()))
                .hasToString(goldenExchange.meaning());
    }

    @Test
    void untrustedCertificateIsNeverCalled() {
        K8sdRequestResult other = new K8sdRequestResult.UntrustedCertificate("another certificate");
        assertThat(K8sdResultClassifier.classifyCall(other)).isInstanceOf(CallResult.NotSent.class);
        assertThat(K8sdResultClassifier.classifyConnect(other))
                .isEqualTo(new ConnectResult.ConnectionRefused(
                        FailureClass.TERMINAL, FailureReason.CREDENTIALS, "another certificate"));
        assertThat(K8sdResultClassifier.classifyStatus("7", other)).isInstanceOf(ChangeStatus.StatusUnavailable.class);
    }

    /** A second call may follow only where it is certain that the first did nothing. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void callIsRepeatedOnlyIfItCertainlyDidNothing(GoldenExchange goldenExchange) {
        boolean neverSent = goldenExchange.exchange() instanceof K8sdRequestResult.RequestNotSent;
        boolean said = goldenExchange.answer().startsWith("503 {")
                || goldenExchange.answer().contains("exit status 10")
                || goldenExchange.answer().contains("version is behind");
        CallResult callResult = K8sdResultClassifier.classifyCall(goldenExchange.exchange());
        assertThat(callResult instanceof CallResult.NotSent || callResult instanceof CallResult.NodeBusy)
                .isEqualTo(neverSent || said);
    }

    @Test
    void rejectsATooLongResponse() {
        byte[] long1 = ("{\"type\":\"sync\",\"error\":\"\",\"metadata\":{\"changeId\":\"1\",\"x\":\""
                        + "x".repeat(K8sdResponseEnvelope.MOST_BYTES) + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
        assertThat(K8sdResponseEnvelope.parseResponse(200, long1))
                .isInstanceOf(K8sdRequestResult.UnreadableResponse.class);
    }

    @Test
    void cutsAnErrorToTheLimitOfARow() {
        String error = "no space left ".repeat(1_000);
        K8sdRequestResult said = K8sdResponseEnvelope.parseResponse(
                200,
                ("{\"type\":\"sync\",\"error\":\"\",\"metadata\":{\"status\":\"Error\",\"completed\":true,"
                                + "\"errorMessage\":\"" + error + "\"}}")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(K8sdResultClassifier.classifyStatus("5", said))
                .isInstanceOfSatisfying(
                        ChangeStatus.ChangeFailed.class,
                        changeFailed -> assertThat(changeFailed.text())
                                .hasSizeLessThanOrEqualTo(1_000)
                                .startsWith("change 5 is Error: no space left"));
    }
}
