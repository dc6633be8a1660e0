package dev.flotilla.nodeworker.k8sd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Contact;
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
        assertThat(Verdicts.ofCall(other)).isInstanceOf(Answer.NotBegun.class);
        assertThat(Verdicts.ofContact(other))
                .isEqualTo(
                        new Contact.Refused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "another certificate"));
        assertThat(Verdicts.ofStatus("7", other)).isInstanceOf(ChangeSight.Silent.class);
    }

    /** A second call may follow only where it is certain that the first did nothing. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void nothingThatMayHaveBegunMayBeginAgain(Told told) {
        boolean neverSent = told.exchange() instanceof Exchange.NotSent;
        boolean said = told.answer().startsWith("503 {")
                || told.answer().contains("exit status 10")
                || told.answer().contains("version is behind");
        Answer answer = Verdicts.ofCall(told.exchange());
        assertThat(answer instanceof Answer.NotBegun || answer instanceof Answer.Busy)
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
                        ChangeSight.Failed.class,
                        failed -> assertThat(failed.text())
                                .hasSizeLessThanOrEqualTo(1_000)
                                .startsWith("change 5 is Error: no space left"));
    }
}
