package dev.flotilla.core.fleet.time;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts of attempts, and the label that divides machines into classes of similar durations, by the policies.
 *
 * @param attemptDeadline how long an attempt may take after its call; null if no policy sets it
 * @param lostAfter how long an unknown outcome is awaited
 * @param classLabel machines of a role with the same value of this label take equally long; null if all of a role
 *     do
 */
public record AttemptTimeouts(
        @Nullable Duration attemptDeadline,
        Duration lostAfter,
        @Nullable String classLabel) {

    public static AttemptTimeouts of(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy site) {
        Duration deadline = site != null && site.attemptDeadline() != null
                ? site.attemptDeadline()
                : fleet == null ? null : fleet.attemptDeadline();
        String label = site != null && site.classLabel() != null
                ? site.classLabel()
                : fleet == null ? null : fleet.classLabel();
        return new AttemptTimeouts(deadline, lostAfter(fleet, site), label);
    }

    /** The machine's class within its role; null for none. */
    public @Nullable String machineClass(MachineView machine) {
        String value = classLabel == null ? null : machine.labels().get(classLabel);
        return value == null || value.isEmpty() ? null : value;
    }

    public static Duration lostAfter(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy site) {
        Duration lost =
                site != null && site.lostAfter() != null ? site.lostAfter() : fleet == null ? null : fleet.lostAfter();
        return lost == null ? CommandLeaseTimeouts.LOST_AFTER : lost;
    }

    /** The heartbeat timeout, by the fleet's policy and the site's own. */
    public static Duration heartbeatTimeout(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy own) {
        Duration timeout = own != null && own.heartbeatTimeout() != null
                ? own.heartbeatTimeout()
                : fleet == null ? null : fleet.heartbeatTimeout();
        return timeout == null ? UpgradePolicy.DEFAULT_HEARTBEAT_TIMEOUT : timeout;
    }
}
