package dev.flotilla.clusterapi.update;

import dev.flotilla.clusterapi.event.ObjectEventWriter;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes an Event on a Machine whose update waits for long: it is unavailable meanwhile, which somebody who edited a version may
 * not expect. Every replica does it; the Event is one.
 */
public final class HeldUpdateReporter {
    static final Duration HELD_FOR_LONG = Duration.ofMinutes(15);

    /** The gates that hold a machine only for a campaign. */
    private static final Set<String> OF_CAMPAIGNS =
            Set.of("campaign-not-running", "wave", "claimed-by-other", "cap-campaign");

    private final ObjectEventWriter events;
    private final InstantSource clock;

    /** The message that was written for each task, by namespace and name. */
    private final Map<String, String> written = new HashMap<>();

    public HeldUpdateReporter(ObjectEventWriter events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    /** Looks at open tasks. Returns the problems of writes that failed. */
    public synchronized List<String> reportHeld(List<KubeObject> open) {
        List<String> problems = new ArrayList<>();
        Map<String, KubeObject> held = new HashMap<>();
        Instant created = clock.instant().minus(HELD_FOR_LONG);
        open.stream()
                .filter(task -> isHeld(task, created))
                .forEach(task -> held.put(task.namespace() + "/" + task.name(), task));
        written.keySet().retainAll(held.keySet());
        held.forEach((key, task) -> {
            String message = messageOf(read(task));
            if (!message.equals(written.get(key))) {
                String failed = events.write(machineOf(task), "UpdateHeld", message);
                if (failed == null) {
                    written.put(key, message);
                } else {
                    problems.add(key + ": " + failed);
                }
            }
        });
        return problems;
    }

    private static boolean isHeld(KubeObject task, Instant created) {
        Instant at = task.instant("metadata", "creationTimestamp");
        MachineTask read = read(task);
        return at != null && !at.isAfter(created) && !read.running() && !read.aborting();
    }

    private static MachineTask read(KubeObject task) {
        return MachineTask.of(task, OpenTaskLister.machineOf(task));
    }

    static String messageOf(MachineTask task) {
        String held = task.gate() == null
                ? " waits for a cap, a window or a campaign, which `flotilla machine explain` names"
                : " waits at gate " + task.gate();
        return "UpgradeTask " + task.name() + held + ", and the Machine counts as unavailable meanwhile. "
                + (task.gate() != null && OF_CAMPAIGNS.contains(task.gate())
                        ? "A campaign admits it: `flotilla machine explain` says when"
                        : "Use a campaign for changes that have to wait for a window: it writes the version when the machines may"
                                + " start. To end this wait, open the gate or take the change back");
    }

    private static KubeObject machineOf(KubeObject task) {
        return new KubeObject(new JsonObjectReader.Builder()
                .put("apiVersion", "cluster.x-k8s.io/v1beta2")
                .put("kind", "Machine")
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", task.namespace())
                                .put("name", OpenTaskLister.machineOf(task))
                                .put("uid", String.valueOf(task.label(MachineTask.MACHINE_UID)))
                                .build())
                .build());
    }
}
