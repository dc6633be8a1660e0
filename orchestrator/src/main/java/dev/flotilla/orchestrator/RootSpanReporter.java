package dev.flotilla.orchestrator;

import dev.flotilla.orchestrator.leader.EndedAttempt;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.trace.AttemptTrace;
import dev.flotilla.tracing.AttemptSpan;
import dev.flotilla.tracing.AttemptSpanReceiver;
import dev.flotilla.tracing.SpanAttribute;
import java.util.EnumMap;
import java.util.Map;

/** Reports the root span of each attempt when it has ended. */
final class RootSpanReporter {
    private final AttemptSpanReceiver receiver;

    RootSpanReporter(AttemptSpanReceiver receiver) {
        this.receiver = receiver;
    }

    void attemptEnded(EndedAttempt ended) {
        receiver.report(rootSpan(ended));
    }

    static AttemptSpan rootSpan(EndedAttempt ended) {
        UpgradeAttempt attempt = ended.attempt();
        Map<SpanAttribute, String> attributes = new EnumMap<>(SpanAttribute.class);
        attributes.put(SpanAttribute.SITE, ended.machine().site().name());
        attributes.put(SpanAttribute.MACHINE, ended.machine().toString());
        attributes.put(SpanAttribute.ATTEMPT, Long.toString(attempt.id()));
        attributes.put(SpanAttribute.TARGET, attempt.target().toString());
        attributes.put(SpanAttribute.OUTCOME, ended.event().label());
        attributes.put(SpanAttribute.PROVIDER, attempt.provider().label());
        switch (attempt.rolloutRef()) {
            case RolloutRef.CampaignRef campaign ->
                attributes.put(SpanAttribute.CAMPAIGN, campaign.name().toString());
            case RolloutRef.IntentRef intent ->
                attributes.put(SpanAttribute.INTENT, intent.object().toString());
        }
        AttemptMachineSnapshot machine = attempt.machine();
        if (machine != null) {
            attributes.put(SpanAttribute.CLUSTER, machine.cluster());
            attributes.put(SpanAttribute.ROLE, machine.role().label());
        }
        AttemptFailure failure = ended.failure();
        return AttemptSpan.root(
                AttemptTrace.of(ended.machine(), ended.uid(), attempt.id()),
                attempt.admittedAt(),
                ended.endedAt(),
                attributes,
                failure == null ? null : failure.reason().label());
    }
}
