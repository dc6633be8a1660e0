package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that a decision has ended.
 *
 * @param uid the uid of the Machine
 * @param attempt the attempt as it was before
 * @param event the event of the decision
 * @param failure the failure that ended it; null if it did not fail
 */
public record EndedAttempt(
        MachineKey machine,
        String uid,
        UpgradeAttempt attempt,
        DecisionEvent event,
        @Nullable AttemptFailure failure,
        Instant endedAt) {}
