package dev.flotilla.cli.campaign;

import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a campaign's windows are long enough. A machine starts only if it is likely to end before the window
 * closes, and so must a whole control plane; until a campaign has measured attempts, each counts with the policy's
 * estimate.
 */
final class WindowLengthCheck {
    private static final int CONTROL_PLANE = 3;

    private WindowLengthCheck() {}

    /** Describes what can never start; null if everything can. */
    static @Nullable String findProblem(CampaignSpec spec) {
        List<MaintenanceWindow> windows = spec.windows();
        if (windows.isEmpty() || mayAdjoin(windows)) {
            return null;
        }
        Duration longest = Duration.ofMinutes(
                windows.stream().mapToInt(WindowLengthCheck::minutes).max().orElse(0));
        Duration each = UpgradePolicy.MaintenanceCalendar.DEFAULT_ESTIMATE;
        Duration controlPlane = each.multipliedBy(CONTROL_PLANE);
        List<MachineRole> roles = spec.select().roles();
        String estimate = ": until the campaign has measured attempts, each counts as " + text(each)
                + " (calendar.estimate of the policy)";
        if (longest.compareTo(each) < 0) {
            return "spec.windows: the longest window is " + text(longest) + ", too short for any machine to" + " start"
                    + estimate;
        }
        boolean selected = roles.isEmpty() || roles.contains(MachineRole.CONTROL_PLANE);
        return selected && longest.compareTo(controlPlane) < 0
                ? "spec.windows: the longest window is " + text(longest) + ", but a control plane of " + CONTROL_PLANE
                        + " machines must end within one window and needs " + text(controlPlane) + estimate
                : null;
    }

    /** Whether windows may follow each other without a gap and so count as one. */
    private static boolean mayAdjoin(List<MaintenanceWindow> windows) {
        Set<Integer> begins =
                windows.stream().map(MaintenanceWindow::fromMinute).collect(Collectors.toSet());
        return windows.size() > 1
                && windows.stream()
                        .anyMatch(window -> begins.contains(window.toMinute() % MaintenanceWindow.MINUTES_OF_A_DAY));
    }

    private static int minutes(MaintenanceWindow window) {
        int length = window.toMinute() - window.fromMinute();
        return length > 0 ? length : length + MaintenanceWindow.MINUTES_OF_A_DAY;
    }

    private static String text(Duration length) {
        return length.toMinutesPart() == 0 ? length.toHours() + " h" : length.toMinutes() + " min";
    }
}
