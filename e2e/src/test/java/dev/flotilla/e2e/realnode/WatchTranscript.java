package dev.flotilla.e2e.realnode;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What {@code kubectl get KIND -w} prints for several kinds, in one order and with the seconds since the start. The watch of an API
 * server that goes away is started again. Tests wait for lines of it.
 */
public final class WatchTranscript implements AutoCloseable {
    private static final Duration BETWEEN_WATCHES = Duration.ofSeconds(1);

    /** The words of a line about a NodeUpgrade: seconds, their unit, kind, name, machine, target, desired phase, phase. */
    private static final int KIND = 2;

    private static final int NAME = 3;
    private static final int MACHINE = 4;
    private static final int PHASE = 7;
    private static final Pattern AGE = Pattern.compile("\\b(\\d+[smhd])+\\b");
    private static final List<String> ENDS = List.of("Succeeded", "Failed", "Aborted");

    private final long since = System.nanoTime();
    private final List<String> lines = new ArrayList<>();
    private final Set<String> different = new HashSet<>();
    private final ConcurrentLinkedQueue<Process> watches = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private long progressAt = System.nanoTime();

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
            if (different.add(kind + " " + AGE.matcher(line).replaceAll(""))) {
                progressAt = System.nanoTime();
            }
            lines.notifyAll();
        }
    }

    /** Waits for a line that is as expected, unless there was one; as long as there are lines that differ in more than an age. */
    public String await(String what, Duration patience, Predicate<String> expected) {
        synchronized (lines) {
            int read = 0;
            while (true) {
                for (; read < lines.size(); read++) {
                    if (expected.test(lines.get(read))) {
                        return lines.get(read);
                    }
                }
                long remaining = progressAt + patience.toNanos() - System.nanoTime();
                if (remaining <= 0) {
                    throw new AssertionError(
                            "nothing new for " + patience.toSeconds() + " s, but not: " + what + "\n" + text());
                }
                try {
                    lines.wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(remaining)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted", e);
                }
            }
        }
    }

    /** Whether no line has differed from all before, in more than an age, for some time. */
    boolean isSilentFor(Duration patience) {
        synchronized (lines) {
            return System.nanoTime() - progressAt > patience.toNanos();
        }
    }

    /** Waits for a NodeUpgrade of a machine that is none of these, and returns the machine. */
    String awaitUpgradedMachine(List<String> before, Duration patience) {
        String line = await(
                "a NodeUpgrade of a machine besides " + before,
                patience,
                each -> isUpgradeBesides(before, words(each)));
        return words(line)[MACHINE];
    }

    private static boolean isUpgradeBesides(List<String> before, String[] words) {
        return isNodeUpgrade(words) && !before.contains(words[MACHINE]);
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
        return text().lines().map(WatchTranscript::words).filter(WatchTranscript::isNodeUpgrade);
    }

    private static boolean isNodeUpgrade(String[] words) {
        return words.length > MACHINE && words[KIND].equals("nodeupgrades");
    }

    private static String[] words(String line) {
        return line.strip().split("\\s+");
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
