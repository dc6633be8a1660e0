package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import org.jspecify.annotations.Nullable;

/**
 * A start as it was decided.
 *
 * @param previousStatus the machine's status until then
 * @param campaign the campaign that drives it, if one does and still is
 */
record StartDecision(
        MachineRow machine,
        MachineStatus status,
        UpgradeAttempt attempt,
        @Nullable MachineStatus previousStatus,
        @Nullable CampaignStatus campaign,
        long decidedAt) {}
