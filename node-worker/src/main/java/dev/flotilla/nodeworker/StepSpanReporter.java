package dev.flotilla.nodeworker;

import dev.flotilla.nodeworker.upgrade.EndedStep;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.trace.AttemptTrace;
import dev.flotilla.tracing.AttemptSpan;
import dev.flotilla.tracing.AttemptSpanReceiver;
import dev.flotilla.tracing.SpanAttribute;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports a span for each step of an attempt when the next report has ended it. */
final class StepSpanReporter {
    private static final String OUTCOME_UNKNOWN = "outcome-unknown";

    private final AttemptSpanReceiver receiver;

    StepSpanReporter(AttemptSpanReceiver receiver) {
        this.receiver = receiver;
    }

    void stepEnded(EndedStep endedStep) {
        receiver.report(stepSpan(endedStep));
    }

    static AttemptSpan stepSpan(EndedStep endedStep) {
        AttemptProgress reached = endedStep.reached();
        AttemptReport next = endedStep.next().report();
        Map<SpanAttribute, String> attributes = new EnumMap<>(SpanAttribute.class);
        attributes.put(SpanAttribute.SITE, reached.key().site().name());
        attributes.put(SpanAttribute.MACHINE, reached.key().toString());
        attributes.put(SpanAttribute.ATTEMPT, Long.toString(reached.attemptId()));
        String change = endedStep.step().changeId();
        if (change != null) {
            attributes.put(SpanAttribute.CHANGE, change);
        }
        if (next.isFinal()) {
            attributes.put(SpanAttribute.OUTCOME, AttemptOutcome.outcomeOf(next).label());
        }
        return AttemptSpan.child(
                AttemptTrace.of(reached.key(), reached.uid(), reached.attemptId()),
                endedStep.step().step().label(),
                reached.reportedAt(),
                endedStep.next().reportedAt(),
                attributes,
                errorOf(next));
    }

    /** Only labels: the text of a failure may contain what a node said. */
    private static @Nullable String errorOf(AttemptReport report) {
        return switch (report) {
            case AttemptReport.Failed failed -> failed.reason().label();
            case AttemptReport.OutcomeUnknown unknown -> OUTCOME_UNKNOWN;
            default -> null;
        };
    }
}
