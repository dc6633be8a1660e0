package dev.flotilla.e2e.realnode;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What {@code kubectl get KIND -w} prints for several kinds, in one order and with the seconds since the start. The watch of an API
 * server that goes away is started again. Tests wait for lines of it.
 */
public final class WatchTranscript implements AutoCloseable {
    private static final Duration BETWEEN_WATCHES = Duration.ofSeconds(1);

    /** The words of a line about a NodeUpgrade: seconds, their unit, kind, name, machine, target, phase. */
    private static final int NAME = 3;

    private static final int MACHINE = 4;
    private static final int PHASE = 6;
    private static final List<String> ENDS = List.of("Succeeded", "Failed", "Aborted");

    private final long since = System.nanoTime();
    private final List<String> lines = new ArrayList<>();
    private final LinkedBlockingQueue<String> unread = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<Process> watches = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Watches a kind, and gives each of its lines to a listener too. */
    void watch(KubectlClient kubectl, String kind, Consumer<String> listener, String... options) {
        List<String> command = new ArrayList<>(List.of("get", kind, "-w", "--no-headers"));
        command.addAll(List.of(options));
        Thread.ofVirtual().name("watch of " + kind).start(() -> {
            try {
                do {
                    readOnce(kubectl.start(command.toArray(String[]::new)), kind, listener);
                } while (!closed.await(BETWEEN_WATCHES.toMillis(), TimeUnit.MILLISECONDS));
            } catch (IOException e) {
                add(kind, "cannot be watched: " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void readOnce(Process process, String kind, Consumer<String> listener) throws IOException {
        watches.add(process);
        if (closed.getCount() == 0) {
            process.destroyForcibly();
        }
        String last = "";
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (closed.getCount() > 0 && !line.equals(last)) {
                    last = line;
                    add(kind, line);
                    listener.accept(line);
                }
            }
        } finally {
            watches.remove(process);
        }
    }

    /** Adds a line of the test itself, such as that it kills a process. */
    public void add(String kind, String line) {
        String entry = String.format(
                Locale.ROOT,
                "%4d s  %-13s %s",
                Duration.ofNanos(System.nanoTime() - since).toSeconds(),
                kind,
                line);
        synchronized (lines) {
            lines.add(entry);
        }
        unread.add(entry);
    }

    /** Waits for the next line, among those that no earlier call has read, that is as expected. */
    public String await(String what, Duration patience, Predicate<String> expected) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (true) {
                String line = unread.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (line == null) {
                    throw new AssertionError("not within " + patience.toSeconds() + " s: " + what + "\n" + text());
                }
                if (expected.test(line)) {
                    return line;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The machines that had a NodeUpgrade, in the order of their first. */
    public List<String> upgradedMachines() {
        return nodeUpgrades().map(words -> words[MACHINE]).distinct().toList();
    }

    /** How many NodeUpgrades had not ended, after each line about one. */
    public List<Integer> countOpenUpgrades() {
        Set<String> open = new LinkedHashSet<>();
        List<Integer> counts = new ArrayList<>();
        nodeUpgrades().forEach(words -> {
            if (words.length > PHASE && ENDS.contains(words[PHASE])) {
                open.remove(words[NAME]);
            } else {
                open.add(words[NAME]);
            }
            counts.add(open.size());
        });
        return counts;
    }

    private Stream<String[]> nodeUpgrades() {
        return text().lines().map(line -> line.strip().split("\\s+")).filter(words -> words[2].equals("nodeupgrades"));
    }

    /** All lines so far. */
    public String text() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    /** Writes all lines to a file. */
    void write(Path file) throws IOException {
        Files.writeString(file, text() + "\n");
    }

    @Override
    public void close() {
        closed.countDown();
        watches.forEach(Process::destroyForcibly);
    }
}
