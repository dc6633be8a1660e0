package dev.flotilla.schemas.row;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that must hold before and after the calls of a campaign.
 *
 * @param maxBackupAge how old the last backup of a machine's cluster may be at the call; null if no backup is required
 */
public record CampaignChecks(
        @Nullable Duration maxBackupAge, List<HealthCheck> beforeCall, List<HealthCheck> afterCall) {
    public static final CampaignChecks NONE = new CampaignChecks(null, List.of(), List.of());

    public CampaignChecks {
        beforeCall = List.copyOf(beforeCall);
        afterCall = List.copyOf(afterCall);
    }

    /** Returns the checks for machines of a role. */
    public CampaignChecks forRole(MachineRole role) {
        if (beforeCall.isEmpty() && afterCall.isEmpty()) {
            return this;
        }
        List<HealthCheck> its =
                beforeCall.stream().filter(check -> check.appliesTo(role)).toList();
        List<HealthCheck> then =
                afterCall.stream().filter(check -> check.appliesTo(role)).toList();
        return its.size() == beforeCall.size() && then.size() == afterCall.size()
                ? this
                : new CampaignChecks(maxBackupAge, its, then);
    }
}
