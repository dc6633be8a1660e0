package dev.flotilla.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * How much of the processors' time other virtual machines got while a benchmark ran: with much of it, measured times say little. It is
 * zero where the system does not count it.
 */
public final class StolenTime {
    /** The most for a time that means something. */
    public static final double MAX_SHARE = 0.05;

    private static final Path COUNTERS = Path.of("/proc/stat");

    /** User, nice, system, idle, iowait, irq, softirq and steal; what guests used is part of user already. */
    private static final int COUNTED = 8;

    private final long[] before;

    private StolenTime(long[] before) {
        this.before = before;
    }

    /** Begins to count. */
    public static StolenTime begin() {
        return new StolenTime(read());
    }

    /** Returns the share of the time of all processors since the beginning. */
    public double share() {
        return shareBetween(before, read());
    }

    static double shareBetween(long[] before, long[] after) {
        long all = Arrays.stream(after).sum() - Arrays.stream(before).sum();
        return all <= 0 ? 0 : (double) (after[COUNTED - 1] - before[COUNTED - 1]) / all;
    }

    private static long[] read() {
        try {
            return parse(Files.readAllLines(COUNTERS));
        } catch (IOException e) {
            return new long[COUNTED];
        }
    }

    static long[] parse(List<String> lines) {
        long[] counters = lines.stream()
                .filter(line -> line.startsWith("cpu "))
                .flatMap(line -> Arrays.stream(line.strip().split(" +")).skip(1).limit(COUNTED))
                .mapToLong(Long::parseLong)
                .toArray();
        return Arrays.copyOf(counters, COUNTED);
    }
}
