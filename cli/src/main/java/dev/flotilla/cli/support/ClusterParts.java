package dev.flotilla.cli.support;

import dev.flotilla.cli.support.SupportBundle.ArchiveException;
import dev.flotilla.cli.support.SupportBundle.PartText;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.PodLogReader;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts about a cluster in which Flotilla runs: pods with their logs, Events, and what Flotilla wrote onto Machines. Of each object
 * only named fields are taken. Secrets and ConfigMaps are never read.
 */
final class ClusterParts {
    static final int LOG_BYTES = 4 * 1024 * 1024;

    private static final int LONGEST_CONTAINER = 20;
    private static final int LOG_LINES = 5_000;
    private static final int MOST_PODS = 100;
    private static final int MOST_EVENTS = 5_000;
    private static final int MOST_MACHINES = 10_000;
    private static final String GROUP = "cluster.x-k8s.io";

    /** Beginnings of the annotations that are Flotilla's or that it acts on. */
    private static final List<String> KNOWN_KEYS = List.of(
            "flotilla.dev/",
            "v1beta2.k8sd.io/in-place-upgrade-",
            AnnotationKeys.PAUSED,
            AnnotationKeys.UPDATE_IN_PROGRESS,
            AnnotationKeys.SKIP_REMEDIATION,
            AnnotationKeys.SCALE_DOWN_DISABLED,
            AnnotationKeys.TERMINATION_HOOK);

    private final KubeApiClient api;
    private final String namespace;
    private final SupportBundle bundle;

    ClusterParts(KubeApiClient api, String namespace, SupportBundle bundle) {
        this.api = api;
        this.namespace = namespace;
        this.bundle = bundle;
    }

    /** Adds all parts. Returns whether the API server answered. */
    boolean addAll() throws ArchiveException {
        bundle.announce("cluster " + api.root());
        boolean answers = bundle.add("cluster/version.json", "version of the API server", () -> {
            KubeResponse version = api.get("/version");
            if (!(version instanceof KubeResponse.SuccessResponse success)) {
                throw new IOException(api.root() + " cannot be read: " + version.problem());
            }
            return PartText.of(
                    fields(success.object(), List.of("gitVersion", "platform")).build());
        });
        if (!answers) {
            return false;
        }
        List<KubeObject> pods = new ArrayList<>();
        bundle.add(
                "cluster/pods.json",
                "pods of namespace " + namespace,
                () -> list(KubeApiPath.coreObject(namespace, "pods"), MOST_PODS, pod -> {
                    pods.add(pod);
                    return pod(pod);
                }));
        addLogs(pods);
        bundle.add(
                "cluster/events.json",
                "Events of namespace " + namespace,
                () -> list(KubeApiPath.coreObject(namespace, "events"), MOST_EVENTS, ClusterParts::event));
        bundle.add("cluster/machines.json", "Machines with Flotilla's keys and conditions", this::machines);
        return true;
    }

    private PartText list(String path, int most, Function<KubeObject, JsonValue> item) throws IOException {
        List<JsonValue> items = new ArrayList<>();
        String problem = api.forEachObject(path, "", most, each -> items.add(item.apply(each)));
        if (problem != null && items.isEmpty()) {
            throw new IOException(problem);
        }
        return new PartText(JsonFormatter.format(JsonFormatter.list(items)), problem);
    }

    private void addLogs(List<KubeObject> pods) throws ArchiveException {
        try (PodLogReader reader = PodLogReader.open(api, LOG_BYTES)) {
            for (KubeObject pod : pods) {
                bundle.announce("logs of pod " + pod.name());
                for (String kind : List.of("initContainerStatuses", "containerStatuses")) {
                    for (KubeObject container : pod.list("status", kind)) {
                        String file = "logs/" + SupportBundle.fileName(pod.name()) + "/";
                        String name = String.valueOf(container.text("name"));
                        addLog(reader, file, pod.name(), name, false);
                        Long restarts = container.number("restartCount");
                        if (restarts != null && restarts > 0) {
                            addLog(reader, file, pod.name(), name, true);
                        }
                    }
                }
            }
        }
    }

    private void addLog(PodLogReader reader, String folder, String pod, String container, boolean previous)
            throws ArchiveException {
        String path =
                folder + SupportBundle.fileName(container, LONGEST_CONTAINER) + (previous ? ".previous" : "") + ".log";
        String content = "log of " + pod + "/" + container + (previous ? ", before its last restart" : "");
        bundle.add(path, content, () -> switch (reader.read(namespace, pod, container, LOG_LINES, previous)) {
            case PodLogReader.LogText log -> PartText.of(log.text());
            case PodLogReader.NoLog none -> throw new IOException(none.reason());
        });
    }

    private PartText machines() throws IOException {
        String version = new ServedApiVersions(api).versionOf(GROUP, "machines");
        if (version == null || version.isEmpty()) {
            throw new IOException(
                    version == null
                            ? "the served versions of Machines are unknown"
                            : "this cluster serves no Machines");
        }
        return list(KubeApiPath.listPath(GROUP + "/" + version, "machines"), MOST_MACHINES, ClusterParts::machine);
    }

    private static JsonValue pod(KubeObject pod) {
        List<JsonValue> containers = new ArrayList<>();
        for (String kind : List.of("initContainerStatuses", "containerStatuses")) {
            for (KubeObject each : pod.list("status", kind)) {
                containers.add(fields(each, List.of("name", "image", "imageID"))
                        .put("ready", each.bool("ready"))
                        .put("restarts", text(each.number("restartCount")))
                        .put("state", state(each.object("state")))
                        .put("lastState", state(each.object("lastState")))
                        .build());
            }
        }
        return fields(pod.object("metadata"), List.of("name", "creationTimestamp", "deletionTimestamp"))
                .put("node", JsonFormatter.text(pod.text("spec", "nodeName")))
                .put("phase", JsonFormatter.text(pod.text("status", "phase")))
                .put("reason", JsonFormatter.text(pod.text("status", "reason")))
                .put("message", JsonFormatter.text(pod.text("status", "message")))
                .put("conditions", conditions(pod))
                .put("containers", JsonFormatter.list(containers))
                .build();
    }

    private static JsonValue state(KubeObject state) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder();
        for (String kind : List.of("waiting", "running", "terminated")) {
            if (state.has(kind)) {
                KubeObject each = state.object(kind);
                json.put(
                        kind,
                        fields(each, List.of("reason", "message", "startedAt", "finishedAt"))
                                .put("exitCode", text(each.number("exitCode")))
                                .build());
            }
        }
        return json.build();
    }

    private static JsonValue event(KubeObject event) {
        KubeObject on = event.object("involvedObject");
        return fields(event, List.of("type", "reason", "message", "firstTimestamp", "lastTimestamp", "eventTime"))
                .put("object", on.text("kind") + " " + on.text("namespace") + "/" + on.text("name"))
                .put("count", text(event.number("count")))
                .put("source", JsonFormatter.text(event.text("source", "component")))
                .build();
    }

    private static JsonValue machine(KubeObject machine) {
        JsonObjectReader.Builder keys = new JsonObjectReader.Builder();
        JsonObjectReader all = machine.object("metadata", "annotations").json();
        for (int i = 0; i < all.size(); i++) {
            String key = all.name(i);
            if (KNOWN_KEYS.stream().anyMatch(key::startsWith) && all.value(i) instanceof JsonValue.JsonString value) {
                keys.put(key, value.value());
            }
        }
        return fields(machine.object("metadata"), List.of("namespace", "name", "uid", "deletionTimestamp"))
                .put("cluster", JsonFormatter.text(machine.text("spec", "clusterName")))
                .put("version", JsonFormatter.text(machine.text("spec", "version")))
                .put("phase", JsonFormatter.text(machine.text("status", "phase")))
                .put("keys", keys.build())
                .put("conditions", conditions(machine))
                .build();
    }

    private static JsonValue conditions(KubeObject object) {
        return JsonFormatter.list(object.list("status", "conditions").stream()
                .map(each -> fields(each, List.of("type", "status", "reason", "message", "lastTransitionTime"))
                        .build())
                .toList());
    }

    private static JsonObjectReader.Builder fields(KubeObject object, List<String> names) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder();
        for (String name : names) {
            String value = object.text(name);
            if (value != null) {
                json.put(name, value);
            }
        }
        return json;
    }

    private static JsonValue text(@Nullable Object value) {
        return JsonFormatter.text(value == null ? null : value.toString());
    }
}
