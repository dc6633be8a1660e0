package dev.flotilla.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Environment in which the measurements were taken.
 *
 * @param commit commit of the sources; null if unknown
 * @param memory of the machine, in bytes
 * @param kafka version of the broker; null without one
 * @param runnableThreads runnable threads, on average of the minute before the start; negative if unknown
 */
record BenchmarkEnvironment(
        @Nullable String commit,
        int cpus,
        long memory,
        String java,
        @Nullable String kafka,
        double runnableThreads) {
    private static final int GIT_SECONDS = 10;
    private static final int CROWDED = 2;

    static BenchmarkEnvironment readCurrent(@Nullable String kafka) {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return new BenchmarkEnvironment(
                commit(System.getProperty("flotilla.home")),
                system.getAvailableProcessors(),
                system.getTotalMemorySize(),
                Runtime.version().toString(),
                kafka,
                system.getSystemLoadAverage());
    }

    /** Whether other processes use so much CPU that measured times are unreliable. */
    boolean isCrowded() {
        return runnableThreads > CROWDED * cpus;
    }

    private static @Nullable String commit(@Nullable String home) {
        if (home == null) {
            return null;
        }
        try {
            Process git = new ProcessBuilder("git", "-C", home, "rev-parse", "HEAD")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return git.waitFor(GIT_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0 ? output : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while reading the commit from git", e));
        }
    }
}
