package dev.flotilla.bench.harness;

import dev.flotilla.testkit.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures a process: CPU time, and how often its threads wake up if the system reports it. */
public final class ProcessUsageMeter {
    private static final Path PROCESSES = Path.of("/proc");
    private static final String CONTEXT_SWITCHES = "voluntary_ctxt_switches:";
    private static final String NAME = "Name:";
    private static final int MOST_NAMED = 5;
    private static final String COMPILER = "CompilerThre";

    /** Positions in a thread's stat line, after its name in brackets: user and system ticks. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;
    private static final double TICKS_A_SECOND = 100;

    private ProcessUsageMeter() {}

    /**
     * Usage per second.
     *
     * @param cpu share of one processor
     * @param compiling share of one processor that the JVM's compilers used
     * @param wakeUps wake-ups of all threads; negative if unknown
     * @param most threads that woke up most often
     */
    public record ProcessUsage(double cpu, double compiling, double wakeUps, String most) {
        public double withoutCompilers() {
            return cpu - compiling;
        }
    }

    /** Context switches and CPU time of one thread. */
    private record ThreadUsage(String name, long times, double seconds) {
        boolean compiles() {
            return name.contains(COMPILER);
        }
    }

    /** CPU seconds of the JVM's compilers so far; 0 if unknown. */
    public static double compilerSeconds(ChildProcess process) {
        return readThreads(process.pid()).values().stream()
                .filter(ThreadUsage::compiles)
                .mapToDouble(ThreadUsage::seconds)
                .sum();
    }

    /** CPU time of a process so far. */
    public static Duration cpu(ChildProcess process) {
        return process.handle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public static ProcessUsage watch(ChildProcess process, Duration time) throws InterruptedException {
        Duration cpu = cpu(process);
        Map<String, ThreadUsage> before = readThreads(process.pid());
        long began = System.nanoTime();
        Thread.sleep(time.toMillis());
        Map<String, ThreadUsage> after = readThreads(process.pid());
        double seconds = (System.nanoTime() - began) / 1e9;
        double used = cpu(process).minus(cpu).toNanos() / 1e9 / seconds;
        double compiling = 0;
        for (Map.Entry<String, ThreadUsage> thread : after.entrySet()) {
            if (thread.getValue().compiles()) {
                ThreadUsage then = before.get(thread.getKey());
                compiling += (thread.getValue().seconds() - (then == null ? 0 : then.seconds())) / seconds;
            }
        }
        SortedMap<String, Double> each = new TreeMap<>();
        after.forEach((thread, now) -> {
            ThreadUsage then = before.get(thread);
            each.merge(now.name(), (now.times() - (then == null ? 0 : then.times())) / seconds, Double::sum);
        });
        double all = each.values().stream().mapToDouble(Double::doubleValue).sum();
        return new ProcessUsage(used, compiling, after.isEmpty() ? -1 : all, describe(each));
    }

    private static String describe(Map<String, Double> each) {
        return each.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(MOST_NAMED)
                .map(entry -> String.format("%s %.0f", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static Map<String, ThreadUsage> readThreads(long pid) {
        Map<String, ThreadUsage> woken = new LinkedHashMap<>();
        Path tasks = PROCESSES.resolve(Long.toString(pid)).resolve("task");
        if (!Files.isDirectory(tasks)) {
            return woken;
        }
        try (Stream<Path> threads = Files.list(tasks)) {
            threads.forEach(thread -> woken.put(String.valueOf(thread.getFileName()), of(thread)));
        } catch (IOException e) {
            throw new UncheckedIOException("reading the threads of " + pid, e);
        }
        return woken;
    }

    private static ThreadUsage of(Path thread) {
        try {
            List<String> lines = Files.readAllLines(thread.resolve("status"));
            return new ThreadUsage(value(lines, NAME), Long.parseLong(value(lines, CONTEXT_SWITCHES)), seconds(thread));
        } catch (IOException e) {
            // The thread has ended.
            return new ThreadUsage("", 0, 0);
        }
    }

    private static double seconds(Path thread) throws IOException {
        String line = Files.readString(thread.resolve("stat"));
        List<String> fields =
                List.of(line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1));
        return (Long.parseLong(fields.get(USER_TICKS)) + Long.parseLong(fields.get(SYSTEM_TICKS))) / TICKS_A_SECOND;
    }

    private static String value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).strip())
                .findFirst()
                .orElse("0");
    }
}
