package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import org.jspecify.annotations.Nullable;

/**
 * A start as it was decided.
 *
 * @param before the machine's status until then
 * @param campaign the campaign that drives it, if one does and still is
 */
record Start(
        MachineRow machine,
        MachineStatus status,
        Attempt attempt,
        @Nullable MachineStatus before,
        @Nullable CampaignStatus campaign,
        long at) {}
