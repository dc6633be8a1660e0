package dev.flotilla.nodeworker;

import dev.flotilla.nodeworker.drive.Milestone;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Dies at once when a drive comes by a milestone, as a test asks for with {@code -Dflotilla.crash=called}. Nothing is
 * cleaned up, as when the power goes.
 */
public final class Crash {
    public static final String PROPERTY = "flotilla.crash";
    public static final int EXIT = 86;

    private Crash() {}

    /** Who is to be told of milestones: the one that the property asks for, or one that lets everything pass. */
    static Consumer<Milestone> asked(String property) {
        if (property.isEmpty()) {
            return milestone -> {};
        }
        Milestone at = Arrays.stream(Milestone.values())
                .filter(each -> each.label().equals(property))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        PROPERTY + "=" + property + " is none of " + Arrays.toString(Milestone.values())));
        return milestone -> {
            if (milestone == at) {
                Runtime.getRuntime().halt(EXIT);
            }
        };
    }
}
