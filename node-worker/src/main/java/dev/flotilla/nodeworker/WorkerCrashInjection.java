package dev.flotilla.nodeworker;

import dev.flotilla.nodeworker.upgrade.UpgradeCrashPoint;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Dies at once when a drive comes by a milestone, as a test asks for with {@code -Dflotilla.crash=called}. Nothing is
 * cleaned up, as when the power goes.
 */
public final class WorkerCrashInjection {
    public static final String PROPERTY = "flotilla.crash";
    public static final int EXIT = 86;

    private WorkerCrashInjection() {}

    /** Who is to be told of milestones: the one that the property asks for, or one that lets everything pass. */
    static Consumer<UpgradeCrashPoint> fromProperty(String property) {
        if (property.isEmpty()) {
            return upgradeCrashPoint -> {};
        }
        UpgradeCrashPoint at = Arrays.stream(UpgradeCrashPoint.values())
                .filter(each -> each.label().equals(property))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        PROPERTY + "=" + property + " is none of " + Arrays.toString(UpgradeCrashPoint.values())));
        return upgradeCrashPoint -> {
            if (upgradeCrashPoint == at) {
                Runtime.getRuntime().halt(EXIT);
            }
        };
    }
}
