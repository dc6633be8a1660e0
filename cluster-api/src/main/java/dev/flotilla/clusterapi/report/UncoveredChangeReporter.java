package dev.flotilla.clusterapi.report;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.clusterapi.coverage.UncoveredPolicy;
import dev.flotilla.clusterapi.event.ConditionPatch;
import dev.flotilla.clusterapi.event.ObjectEventWriter;
import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shows on the owner of the machines why a change is not made in place: Cluster API shows the text of no such answer. It keeps the last
 * answer of each owner and writes it later, so that a hook never waits for it.
 */
public final class UncoveredChangeReporter {
    /** The condition on a MachineDeployment or control plane. */
    static final String CONDITION = "flotilla.dev/NotCovered";

    private static final String CLUSTER_API = "cluster.x-k8s.io/v1beta2";
    private static final int MAX_OWNERS = 1_000;

    private final KubeApiClient api;
    private final InstantSource clock;
    private final ObjectEventWriter events;
    /** The last answer of each owner that is not written yet; null where the change is covered. Guarded by this. */
    private final Map<ChangedOwner, CoverageAnswer> pending = new LinkedHashMap<>();

    public UncoveredChangeReporter(KubeApiClient api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
        this.events = new ObjectEventWriter(api, clock);
    }

    /** Keeps an answer until it is written. */
    public synchronized void judged(Hook hook, KubeObject request, CoverageAnswer answer) {
        ChangedOwner owner = ChangedOwner.find(hook, request);
        if (owner != null && (pending.containsKey(owner) || pending.size() < MAX_OWNERS)) {
            pending.put(owner, answer);
        }
    }

    /** Writes what has been kept. Returns the problem of each write that failed. */
    public List<String> writeOnce() {
        Map<ChangedOwner, CoverageAnswer> now;
        synchronized (this) {
            now = new LinkedHashMap<>(pending);
            pending.clear();
        }
        List<String> problems = new ArrayList<>();
        now.forEach((owner, answer) -> {
            String problem = write(owner, answer);
            if (problem != null) {
                problems.add(owner.namespace() + "/" + owner.name() + ": " + problem);
            }
        });
        return problems;
    }

    private @Nullable String write(ChangedOwner owner, CoverageAnswer answer) {
        String path = pathOf(owner);
        if (path == null) {
            return null;
        }
        KubeResponse read = api.get(path);
        if (!(read instanceof KubeResponse.SuccessResponse found)) {
            return read.isMissing() ? null : read.problem();
        }
        KubeObject object = found.object();
        String message = messageOf(answer);
        KubeObject shown = object.condition(CONDITION);
        if (message == null ? shown == null : shown != null && message.equals(shown.text("message"))) {
            return null;
        }
        KubeResponse written = api.mergePatch(
                path + "/status", ConditionPatch.build(object, CONDITION, reasonOf(answer), message, clock.instant()));
        if (!(written instanceof KubeResponse.SuccessResponse)) {
            return written.problem();
        }
        return message == null ? null : events.write(object, "ChangeNotCovered", message);
    }

    /** Returns the path of an owner's object; null if there is none. */
    private @Nullable String pathOf(ChangedOwner owner) {
        if (owner.machine() == null) {
            return KubeApiPath.groupObject(CLUSTER_API, owner.namespace(), "machinedeployments", owner.name());
        }
        KubeResponse read =
                api.get(KubeApiPath.groupObject(CLUSTER_API, owner.namespace(), "machines", owner.machine()));
        KubeObject controller = read instanceof KubeResponse.SuccessResponse found
                ? found.object().controller()
                : null;
        String version = controller == null ? null : controller.text("apiVersion");
        String kind = controller == null ? null : controller.text("kind");
        return version == null || kind == null
                ? null
                : KubeApiPath.groupObject(
                        version, owner.namespace(), kind.toLowerCase(java.util.Locale.ROOT) + "s", owner.name());
    }

    /** Returns what the condition says; null where nothing is to be said. */
    private static @Nullable String messageOf(CoverageAnswer answer) {
        return switch (answer) {
            case CoverageAnswer.Covered covered -> null;
            case CoverageAnswer.NotCovered notCovered ->
                notCovered.describe()
                        + (notCovered.policy() == UncoveredPolicy.STOP
                                ? ". Nothing is replaced: take the change back, or cover it in the ExtensionConfig"
                                : ". Cluster API replaces the machines");
            case CoverageAnswer.InvalidRequest invalid ->
                invalid.problem() + ". Nothing is replaced until it is corrected";
        };
    }

    private static String reasonOf(CoverageAnswer answer) {
        return answer instanceof CoverageAnswer.NotCovered notCovered && notCovered.policy() == UncoveredPolicy.REPLACE
                ? "MachinesAreReplaced"
                : "ChangeIsHeld";
    }
}
