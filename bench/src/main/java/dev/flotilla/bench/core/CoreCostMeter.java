package dev.flotilla.bench.core;

import dev.flotilla.simulator.rollout.DecisionMeter;
import java.lang.management.ManagementFactory;

/** Counts decisions and the bytes that the core allocates. */
final class CoreCostMeter implements DecisionMeter {
    private final com.sun.management.ThreadMXBean threads =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);
    private long before;
    private long bytes;
    private long decisions;

    @Override
    public void decisionsStarted() {
        before = threads.getCurrentThreadAllocatedBytes();
    }

    @Override
    public void decisionsMade(int taken) {
        bytes += threads.getCurrentThreadAllocatedBytes() - before;
        decisions += taken;
    }

    void reset() {
        bytes = 0;
        decisions = 0;
    }

    long decisions() {
        return decisions;
    }

    double bytesPerDecision() {
        return (double) bytes / decisions;
    }
}
