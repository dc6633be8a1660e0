package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.event.ShownAttempt;
import dev.flotilla.tracing.AttemptSpan;
import dev.flotilla.tracing.AttemptSpanReceiver;
import dev.flotilla.tracing.SpanAttribute;
import java.util.EnumMap;
import java.util.Map;

/** Reports a span for each write that shows an attempt on its Machine. */
final class WriteSpanReporter {
    private final AttemptSpanReceiver receiver;

    WriteSpanReporter(AttemptSpanReceiver receiver) {
        this.receiver = receiver;
    }

    void attemptShown(ShownAttempt shown) {
        receiver.report(writeSpan(shown));
    }

    static AttemptSpan writeSpan(ShownAttempt shown) {
        Map<SpanAttribute, String> attributes = new EnumMap<>(SpanAttribute.class);
        attributes.put(SpanAttribute.SITE, shown.machine().site().name());
        attributes.put(SpanAttribute.MACHINE, shown.machine().toString());
        attributes.put(SpanAttribute.WRITE, shown.kind().label());
        return AttemptSpan.child(
                shown.trace(), "write " + shown.kind().label(), shown.startedAt(), shown.endedAt(), attributes, null);
    }
}
