package dev.flotilla.simulator.broken;

import java.util.List;

/** Which broken cores were found out, and which got away. */
public record BrokenCoreReport(List<DetectedBrokenCore> caught, List<BrokenCore> uncaught) {
    public BrokenCoreReport {
        caught = List.copyOf(caught);
        uncaught = List.copyOf(uncaught);
    }
}
