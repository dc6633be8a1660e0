package dev.flotilla.cli.demo;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An event as one line, until there are so many of a kind that they tell nothing any more. */
final class DemoEventFormatter {
    private static final int ENOUGH_FAILURES = 8;

    private int failures;

    /** The line, or null for an event that is not worth one. */
    @Nullable
    String format(DemoEvent event, double seconds) {
        String what = switch (event.kind()) {
            case "leader-elected" -> "an orchestrator leads";
            case "campaign-accepted" -> "campaign " + event.subject() + " is accepted";
            case "campaign-completed" -> "campaign " + event.subject() + " is complete";
            case "wave-opened" -> "wave " + event.subject() + " opens";
            case "wave-closed" -> "wave " + event.subject() + " is done";
            case "machine-quarantined" -> event.subject() + " is quarantined: it failed too often";
            case "attempt-failed" ->
                ++failures <= ENOUGH_FAILURES ? event.subject() + " failed and will be tried again" : null;
            case "attempt-unknown" -> event.subject() + ": nothing is known of its attempt";
            case "killed" -> "KILLED " + event.detail() + " (" + event.subject() + ")";
            case "recovered" -> "back to work without " + event.subject() + " after " + event.detail() + " s";
            default -> event.kind() + " " + event.subject();
        };
        return what == null ? null : clock(seconds) + "  " + what;
    }

    static String clock(double seconds) {
        return String.format(Locale.ROOT, "%6.1f s", seconds);
    }
}
