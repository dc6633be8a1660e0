package dev.flotilla.cli.terminal;

/** Parses times of a simulated world as its transcripts print them. */
public final class SimulatedTimeParser {
    private static final int BASE = 60;

    private SimulatedTimeParser() {}

    /** Converts {@code 01:02:03.456} to seconds; zero if the text is not a time. */
    public static double seconds(String clock) {
        double seconds = 0;
        for (String part : clock.split(":", -1)) {
            if (part.isEmpty() || !part.matches("[0-9]+([.][0-9]+)?")) {
                return 0;
            }
            seconds = seconds * BASE + Double.parseDouble(part);
        }
        return seconds;
    }
}
