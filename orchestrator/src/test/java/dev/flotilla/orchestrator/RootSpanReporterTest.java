package dev.flotilla.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.orchestrator.leader.EndedAttempt;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.trace.AttemptTrace;
import dev.flotilla.tracing.AttemptSpan;
import dev.flotilla.tracing.SpanAttribute;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RootSpanReporterTest {
    private static final MachineKey MACHINE = new MachineKey(new SiteId("east"), "fleet", "k1-w-0");
    private static final Instant ADMITTED = Instant.parse("2026-11-28T02:00:00Z");
    private static final Instant ENDED = Instant.parse("2026-11-28T02:14:00Z");

    private static EndedAttempt ended(DecisionEvent event, @Nullable AttemptFailure failure) {
        return new EndedAttempt(
                MACHINE,
                "u-0",
                new UpgradeAttempt(
                        17,
                        new RolloutRef.CampaignRef(new CampaignName("spring"), 3),
                        new UpgradeTarget.Channel("1.33-classic/stable"),
                        new AttemptState.Admitted(ENDED),
                        ADMITTED,
                        false,
                        new AttemptMachineSnapshot("k1", MachineRole.WORKER)),
                event,
                failure,
                ENDED);
    }

    @Test
    void theRootSpanLastsFromTheAdmissionToTheEnd() {
        AttemptSpan span = RootSpanReporter.rootSpan(ended(DecisionEvent.ATTEMPT_SUCCEEDED, null));

        assertThat(span.trace()).isEqualTo(AttemptTrace.of(MACHINE, "u-0", 17));
        assertThat(span.isRoot()).isTrue();
        assertThat(span.startedAt()).isEqualTo(ADMITTED);
        assertThat(span.endedAt()).isEqualTo(ENDED);
        assertThat(span.error()).isNull();
        assertThat(span.attributes())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        SpanAttribute.SITE, "east",
                        SpanAttribute.MACHINE, "east/fleet/k1-w-0",
                        SpanAttribute.CLUSTER, "k1",
                        SpanAttribute.ROLE, "worker",
                        SpanAttribute.PROVIDER, "k8sd",
                        SpanAttribute.CAMPAIGN, "spring",
                        SpanAttribute.ATTEMPT, "17",
                        SpanAttribute.TARGET, "channel=1.33-classic/stable",
                        SpanAttribute.OUTCOME, "attempt-succeeded"));
    }

    /** The text of a failure may contain what a node said. */
    @Test
    void aFailureHasTheLabelOfItsReasonAndNotItsText() {
        AttemptSpan span = RootSpanReporter.rootSpan(ended(
                DecisionEvent.MACHINE_QUARANTINED,
                new AttemptFailure(17, FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "snap said never", ENDED)));

        assertThat(span.error()).isEqualTo(FailureReason.REFRESH_ERROR.label());
        assertThat(span.attributes().values()).noneMatch(value -> value.contains("never"));
    }
}
