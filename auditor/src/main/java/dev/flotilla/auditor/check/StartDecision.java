package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import org.jspecify.annotations.Nullable;

/**
 * A decision that starts an attempt.
 *
 * @param previousStatus the machine status before the decision
 * @param campaign the campaign of the attempt, if it has one that still exists
 */
record StartDecision(
        MachineRow machine,
        MachineStatus status,
        UpgradeAttempt attempt,
        @Nullable MachineStatus previousStatus,
        @Nullable CampaignStatus campaign,
        long decidedAt) {}
