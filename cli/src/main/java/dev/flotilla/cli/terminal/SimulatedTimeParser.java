package dev.flotilla.cli.terminal;

/** The clock of a simulated world, as its stories print it. */
public final class SimulatedTimeParser {
    private static final int BASE = 60;

    private SimulatedTimeParser() {}

    /** The seconds that {@code 01:02:03.456} stands for; zero where there is no such time. */
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
