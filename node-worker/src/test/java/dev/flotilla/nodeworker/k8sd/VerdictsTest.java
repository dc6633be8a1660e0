package dev.flotilla.nodeworker.k8sd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that k8sd is known to say, and what else may come instead, with what it means for an attempt. */
class VerdictsTest {
    static Stream<Told> calls() {
        return Told.in("refresh.txt");
    }

    static Stream<Told> questions() {
        return Told.in("refresh-status.txt");
    }

    static Stream<Told> probes() {
        return Told.in("probe.txt");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void ofTheCall(Told told) {
        Request request = Request.refresh(UpgradeTarget.parse(told.asked()));
        assertThat(request.path()).isEqualTo("/1.0/snap/refresh");
        assertThat(new String(request.body(), StandardCharsets.UTF_8)).isEqualTo(told.body());
        assertThat(Verdicts.ofCall(told.exchange())).hasToString(told.meaning());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("questions")
    void ofAQuestionForAChange(Told told) {
        Request request = Request.status(told.asked());
        assertThat(request.path()).isEqualTo("/1.0/snap/refresh-status");
        assertThat(new String(request.body(), StandardCharsets.UTF_8)).isEqualTo(told.body());
        assertThat(Verdicts.ofStatus(told.asked(), told.exchange())).hasToString(told.meaning());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("probes")
    void ofAQuestionForAChangeThatThereIsNot(Told told) {
        assertThat(Request.probe()).isEqualTo(Request.status(told.asked()));
        assertThat(new String(Request.probe().body(), StandardCharsets.UTF_8)).isEqualTo(told.body());
        assertThat(Verdicts.ofContact(told.exchange())).hasToString(told.meaning());
    }

    @Test
    void aNodeThatIsNotTheOneThatIsPinnedIsNotCalledAndNotWaitedFor() {
        Exchange other = new Exchange.Untrusted("another certificate");
        assertThat(Verdicts.ofCall(other)).isInstanceOf(CallResult.NotSent.class);
        assertThat(Verdicts.ofContact(other))
                .isEqualTo(
                        new ConnectResult.ConnectionRefused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "another certificate"));
        assertThat(Verdicts.ofStatus("7", other)).isInstanceOf(ChangeStatus.StatusUnavailable.class);
    }

    /** A second call may follow only where it is certain that the first did nothing. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void nothingThatMayHaveBegunMayBeginAgain(Told told) {
        boolean neverSent = told.exchange() instanceof Exchange.NotSent;
        boolean said = told.answer().startsWith("503 {")
                || told.answer().contains("exit status 10")
                || told.answer().contains("version is behind");
        CallResult callResult = Verdicts.ofCall(told.exchange());
        assertThat(callResult instanceof CallResult.NotSent || callResult instanceof CallResult.NodeBusy)
                .isEqualTo(neverSent || said);
    }

    @Test
    void anAnswerThatIsTooLongIsNotRead() {
        byte[] long1 = ("{\"type\":\"sync\",\"error\":\"\",\"metadata\":{\"changeId\":\"1\",\"x\":\""
                        + "x".repeat(Envelope.MOST_BYTES) + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
        assertThat(Envelope.read(200, long1)).isInstanceOf(Exchange.Garbled.class);
    }

    @Test
    void anErrorIsCutToWhatARowTakes() {
        String error = "no space left ".repeat(1_000);
        Exchange said = Envelope.read(
                200,
                ("{\"type\":\"sync\",\"error\":\"\",\"metadata\":{\"status\":\"Error\",\"completed\":true,"
                                + "\"errorMessage\":\"" + error + "\"}}")
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(Verdicts.ofStatus("5", said))
                .isInstanceOfSatisfying(
                        ChangeStatus.ChangeFailed.class,
                        changeFailed -> assertThat(changeFailed.text())
                                .hasSizeLessThanOrEqualTo(1_000)
                                .startsWith("change 5 is Error: no space left"));
    }
}
