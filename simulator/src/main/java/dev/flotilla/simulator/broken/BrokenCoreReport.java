package dev.flotilla.simulator.broken;

import java.util.List;

/** Which broken cores were detected, and which were not. */
public record BrokenCoreReport(List<DetectedBrokenCore> caught, List<BrokenCore> uncaught) {
    public BrokenCoreReport {
        caught = List.copyOf(caught);
        uncaught = List.copyOf(uncaught);
    }
}
