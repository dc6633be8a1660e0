package dev.flotilla.simulator.broken;

import java.util.List;

/** Which broken cores were found out, and which got away. */
public record BrokenReport(List<Caught> caught, List<BrokenCore> uncaught) {
    public BrokenReport {
        caught = List.copyOf(caught);
        uncaught = List.copyOf(uncaught);
    }
}
