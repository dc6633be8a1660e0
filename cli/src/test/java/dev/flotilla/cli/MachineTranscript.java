package dev.flotilla.cli;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes down each change of the Machines that Cluster API updates in place, and what must not happen to them. */
final class MachineTranscript {
    private final long startedAt = System.nanoTime();
    private final List<String> lines = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, String> shown = new TreeMap<>();

    /** Whether a machine is being updated as Cluster API sees it. */
    static boolean isUpdating(KubeObject machine) {
        return machine.annotation(AnnotationKeys.UPDATE_IN_PROGRESS) != null;
    }

    /** Compares the Machines with those of the call before. */
    void observe(List<KubeObject> machines) {
        Map<String, String> now = new LinkedHashMap<>();
        for (KubeObject machine : machines) {
            String kubelet = machine.text("status", "nodeInfo", "kubeletVersion");
            KubeObject condition = machine.condition("Updating");
            now.put(
                    machine.name(),
                    String.join(
                            " ",
                            machine.uid(),
                            machine.text("spec", "version") + "/" + kubelet,
                            isUpdating(machine) ? "updating" : "",
                            condition == null ? "" : String.valueOf(condition.text("message"))));
            String before = shown.get(machine.name());
            if (before != null
                    && before.contains(" updating ")
                    && !isUpdating(machine)
                    && !String.valueOf(kubelet).equals(machine.text("spec", "version"))) {
                violations.add(machine.name() + " is said to be updated, and its kubelet has " + kubelet);
            }
        }
        now.forEach((machine, state) -> {
            if (!state.equals(shown.put(machine, state))) {
                write(machine + " " + state);
            }
        });
        shown.keySet().removeIf(machine -> {
            boolean gone = !now.isEmpty() && !now.containsKey(machine);
            if (gone) {
                write(machine + " is gone");
            }
            return gone;
        });
    }

    /** Writes down what a test does. */
    void note(String line) {
        write("-- " + line);
    }

    private void write(String line) {
        lines.add(String.format(
                Locale.ROOT,
                "%4d s  %s",
                Duration.ofNanos(System.nanoTime() - startedAt).toSeconds(),
                line));
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    List<String> violations() {
        return List.copyOf(violations);
    }
}
