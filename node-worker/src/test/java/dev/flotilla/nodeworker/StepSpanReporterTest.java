package dev.flotilla.nodeworker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.upgrade.EndedStep;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.trace.AttemptTrace;
import dev.flotilla.tracing.AttemptSpan;
import dev.flotilla.tracing.SpanAttribute;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StepSpanReporterTest {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("east"), "fleet", "m-1");
    private static final Instant START = Instant.parse("2026-11-28T02:14:00Z");

    private static AttemptSpan span(AttemptReport next) {
        AttemptReport.StepReached step = new AttemptReport.StepReached(AttemptStep.VERIFYING, "42");
        return StepSpanReporter.stepSpan(new EndedStep(
                new AttemptProgress(MACHINE, "u-1", 7, step, START),
                step,
                new AttemptProgress(MACHINE, "u-1", 7, next, START.plusSeconds(9))));
    }

    @Test
    void aStepIsASpanBelowTheRoot() {
        AttemptSpan span = span(new AttemptReport.StepReached(AttemptStep.UNCORDONING, "42"));

        assertThat(span.trace()).isEqualTo(AttemptTrace.of(MACHINE, "u-1", 7));
        assertThat(span.name()).isEqualTo("verifying");
        assertThat(span.isRoot()).isFalse();
        assertThat(span.spanId()).isEqualTo(span.trace().childSpanId("verifying", START));
        assertThat(span.endedAt()).isEqualTo(START.plusSeconds(9));
        assertThat(span.error()).isNull();
        assertThat(span.attributes())
                .containsEntry(SpanAttribute.CHANGE, "42")
                .doesNotContainKey(SpanAttribute.OUTCOME);
    }

    @Test
    void theLastStepOfAFailedAttemptHasTheLabelOfTheReasonAndNotItsText() {
        AttemptSpan span = span(
                new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "what the node said"));

        assertThat(span.error()).isEqualTo(FailureReason.REFRESH_ERROR.label());
        assertThat(span.attributes()).containsEntry(SpanAttribute.OUTCOME, "failed");
        assertThat(span.attributes().values()).noneMatch(value -> value.contains("node said"));
    }

    @Test
    void anUnknownOutcomeIsAnError() {
        assertThat(span(new AttemptReport.OutcomeUnknown("away")).error()).isEqualTo("outcome-unknown");
    }
}
