package dev.flotilla.core.fleet.time;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long attempts may take, and of which machines they take as long, by the policies.
 *
 * @param attemptDeadline after the call; null where no policy says
 * @param lostAfter how long an unknown outcome is waited for
 * @param classLabel machines of a role and of one value of this label take as long; null for all of a role
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

    /** The value by which a machine's durations are told apart from others of its role; null for none. */
    public @Nullable String machineClass(MachineView machine) {
        String value = classLabel == null ? null : machine.labels().get(classLabel);
        return value == null || value.isEmpty() ? null : value;
    }

    public static Duration lostAfter(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy site) {
        Duration lost =
                site != null && site.lostAfter() != null ? site.lostAfter() : fleet == null ? null : fleet.lostAfter();
        return lost == null ? CommandLeaseTimeouts.LOST_AFTER : lost;
    }

    /** How old a heartbeat may be, by the fleet's policy and a site's own. */
    public static Duration heartbeatTimeout(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy own) {
        Duration said = own != null && own.heartbeatTimeout() != null
                ? own.heartbeatTimeout()
                : fleet == null ? null : fleet.heartbeatTimeout();
        return said == null ? UpgradePolicy.DEFAULT_HEARTBEAT_TIMEOUT : said;
    }
}
