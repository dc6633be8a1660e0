package dev.flotilla.nodeworker;

import dev.flotilla.nodeworker.upgrade.UpgradeCrashPoint;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Kills the process when a machine upgrade reaches a crash point, for tests: {@code -Dflotilla.crash=called}. Nothing
 * is cleaned up, as after a power failure.
 */
public final class WorkerCrashInjection {
    public static final String PROPERTY = "flotilla.crash";
    public static final int EXIT = 86;

    private WorkerCrashInjection() {}

    /**
     * Creates the handler of crash points: it kills the process at the one that the property names, or does nothing.
     */
    static Consumer<UpgradeCrashPoint> fromProperty(String property) {
        if (property.isEmpty()) {
            return upgradeCrashPoint -> {};
        }
        UpgradeCrashPoint selected = Arrays.stream(UpgradeCrashPoint.values())
                .filter(each -> each.label().equals(property))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        PROPERTY + "=" + property + " is none of " + Arrays.toString(UpgradeCrashPoint.values())));
        return upgradeCrashPoint -> {
            if (upgradeCrashPoint == selected) {
                Runtime.getRuntime().halt(EXIT);
            }
        };
    }
}
