package dev.flotilla.bench.kafka;

import dev.flotilla.bench.rig.Child;
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

/** What a process uses while it is watched: processor time, and how often its threads wake up, where the system says so. */
final class ProcessMeter {
    private static final Path PROCESSES = Path.of("/proc");
    private static final String WOKEN = "voluntary_ctxt_switches:";
    private static final String NAME = "Name:";
    private static final int MOST_NAMED = 5;

    private ProcessMeter() {}

    /**
     * What was used in a second.
     *
     * @param cpu share of one processor
     * @param wakeUps of all threads; negative where the system does not say
     * @param most which threads woke up most often
     */
    record Use(double cpu, double wakeUps, String most) {}

    /** The switches of one thread. */
    private record Woken(String name, long times) {}

    static Use watch(Child process, Duration time) throws InterruptedException {
        Duration cpu = process.cpu();
        Map<String, Woken> before = woken(process.pid());
        long began = System.nanoTime();
        Thread.sleep(time.toMillis());
        Map<String, Woken> after = woken(process.pid());
        double seconds = (System.nanoTime() - began) / 1e9;
        double used = process.cpu().minus(cpu).toNanos() / 1e9 / seconds;
        SortedMap<String, Double> each = new TreeMap<>();
        after.forEach((thread, now) -> {
            Woken then = before.get(thread);
            each.merge(now.name(), (now.times() - (then == null ? 0 : then.times())) / seconds, Double::sum);
        });
        double all = each.values().stream().mapToDouble(Double::doubleValue).sum();
        return new Use(used, after.isEmpty() ? -1 : all, named(each));
    }

    private static String named(Map<String, Double> each) {
        return each.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(MOST_NAMED)
                .map(entry -> String.format("%s %.0f", entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static Map<String, Woken> woken(long pid) {
        Map<String, Woken> woken = new LinkedHashMap<>();
        Path tasks = PROCESSES.resolve(Long.toString(pid)).resolve("task");
        if (!Files.isDirectory(tasks)) {
            return woken;
        }
        try (Stream<Path> threads = Files.list(tasks)) {
            threads.forEach(thread -> woken.put(String.valueOf(thread.getFileName()), of(thread)));
        } catch (IOException e) {
            throw new UncheckedIOException("looking at the threads of " + pid, e);
        }
        return woken;
    }

    private static Woken of(Path thread) {
        try {
            List<String> lines = Files.readAllLines(thread.resolve("status"));
            return new Woken(value(lines, NAME), Long.parseLong(value(lines, WOKEN)));
        } catch (IOException e) {
            // It has ended since.
            return new Woken("", 0);
        }
    }

    private static String value(List<String> lines, String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).strip())
                .findFirst()
                .orElse("0");
    }
}
