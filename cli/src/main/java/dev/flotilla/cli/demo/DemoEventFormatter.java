package dev.flotilla.cli.demo;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats events as lines, and leaves out failures after the first few. */
final class DemoEventFormatter {
    private static final int ENOUGH_FAILURES = 8;

    private int failures;

    /** Formats a line; null if the event is not shown. */
    @Nullable
    String format(DemoEvent event, double seconds) {
        String what = switch (event.kind()) {
            case "leader-elected" -> "an orchestrator is leader";
            case "campaign-accepted" -> "campaign " + event.subject() + " is accepted";
            case "campaign-completed" -> "campaign " + event.subject() + " is complete";
            case "wave-opened" -> "wave " + event.subject() + " opens";
            case "wave-closed" -> "wave " + event.subject() + " is closed: enough of its machines have succeeded";
            case "machine-quarantined" -> event.subject() + " is quarantined: it failed too often";
            case "attempt-failed" ->
                ++failures <= ENOUGH_FAILURES ? event.subject() + " failed; it is tried again" : null;
            case "attempt-unknown" -> event.subject() + ": the outcome of its attempt is unknown";
            case "killed" -> "KILLED " + event.detail() + " (" + event.subject() + ")";
            case "recovered" -> "recovered from the loss of " + event.subject() + " after " + event.detail() + " s";
            default -> event.kind() + " " + event.subject();
        };
        return what == null ? null : clock(seconds) + "  " + what;
    }

    static String clock(double seconds) {
        return String.format(Locale.ROOT, "%6.1f s", seconds);
    }
}
