package dev.flotilla.cli;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.WatchResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which nodes are changed at each moment: a node is, from the creation of its NodeUpgrade until that has ended. It follows a watch, so
 * it sees every write of a NodeUpgrade, and the number between two writes cannot have been another one.
 */
final class NodesInChange implements AutoCloseable {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed", "Aborted");
    private static final Duration LENGTH = Duration.ofMinutes(5);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final double NANOS_PER_SECOND = 1e9;

    private final KubeApiClient api;
    private final String path;
    private final Thread thread;
    private final long startedAt = System.nanoTime();
    private final List<NumberChange> changes = new ArrayList<>();
    private final TreeMap<String, String> nodes = new TreeMap<>();

    /** The machines whose nodes are changed from a moment on. */
    private record NumberChange(long nanos, Set<String> machines) {}

    NodesInChange(KubeApiClient api, String path) {
        this.api = api;
        this.path = path;
        this.thread = Thread.ofVirtual().name("nodes in change").start(this::follow);
    }

    private void follow() {
        try {
            while (!Thread.interrupted()) {
                if (api.get(path) instanceof KubeResponse.SuccessResponse list) {
                    list.object().list("items").forEach(each -> take("ADDED", each));
                    var unused = api.watch(
                            path, list.object().resourceVersion(), LENGTH, GRACE, new WatchResult.WatchHandler() {
                                @Override
                                public void onOpened() {
                                    // Nothing to prepare.
                                }

                                @Override
                                public void onEvent(String type, KubeObject object) {
                                    take(type, object);
                                }
                            });
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void take(String type, KubeObject upgrade) {
        String machine = upgrade.text("spec", "machine", "name");
        if (machine == null) {
            return;
        }
        Set<String> before = new TreeSet<>(nodes.values());
        if (type.equals("DELETED") || ENDED.contains(String.valueOf(upgrade.text("status", "phase")))) {
            nodes.remove(upgrade.name());
        } else {
            nodes.put(upgrade.name(), machine);
        }
        Set<String> now = new TreeSet<>(nodes.values());
        if (!now.equals(before)) {
            changes.add(new NumberChange(System.nanoTime() - startedAt, now));
        }
    }

    /** The machines whose nodes are changed now. */
    synchronized Set<String> now() {
        return changes.isEmpty() ? Set.of() : changes.getLast().machines();
    }

    /** How many were changed at once at most. */
    synchronized int most() {
        return changes.stream().mapToInt(each -> each.machines().size()).max().orElse(0);
    }

    /** The time from the first change of a node to the end of the last. */
    synchronized double makespanSeconds() {
        return changes.isEmpty()
                ? 0
                : (changes.getLast().nanos() - changes.getFirst().nanos()) / NANOS_PER_SECOND;
    }

    /** The sum of the times in which nodes were changed: so long it takes one by one without a pause. */
    synchronized double workSeconds() {
        double sum = 0;
        for (int i = 1; i < changes.size(); i++) {
            NumberChange from = changes.get(i - 1);
            sum += (changes.get(i).nanos() - from.nanos())
                    / NANOS_PER_SECOND
                    * from.machines().size();
        }
        return sum;
    }

    /** One line for each change of the number, as comma-separated values with a heading. */
    synchronized List<String> csv() {
        List<String> lines = new ArrayList<>();
        lines.add("seconds,changing,machines");
        for (NumberChange each : changes) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%.3f,%d,%s",
                    each.nanos() / NANOS_PER_SECOND,
                    each.machines().size(),
                    String.join(" ", each.machines())));
        }
        return lines;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
