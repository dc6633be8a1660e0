package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Refusal;
import dev.flotilla.simulator.kubernetes.store.Resource;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a cluster says it serves. */
final class Discovery {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    /** Which API the server is of. It is its own, and not that of the simulated nodes. */
    private static final String MINOR = "34";

    /** What people type, by the plural that it stands for. */
    private static final Map<String, String> SHORT = Map.of(
            "clusters", "cl",
            "machines", "ma",
            "machinesets", "ms",
            "machinedeployments", "md",
            "ck8scontrolplanes", "ck8scp",
            "namespaces", "ns",
            "nodes", "no",
            "pods", "po",
            "configmaps", "cm",
            "events", "ev");

    private final Store store;

    Discovery(Store store) {
        this.store = store;
    }

    /** Answers if a path asks for something of the kind; null where it does not. */
    @Nullable
    ApiAnswer answer(String path) {
        String[] parts = path.substring(1).split("/", 0);
        return switch (parts[0]) {
            case "healthz", "livez", "readyz" -> ApiAnswer.text("ok");
            case "version" -> ApiAnswer.json(200, version());
            case "api" ->
                parts.length == 1
                        ? ApiAnswer.json(200, Json.object("kind", "APIVersions", "versions", List.of("v1")))
                        : parts.length == 2 ? resources("", parts[1]) : null;
            case "apis" ->
                switch (parts.length) {
                    case 1 -> ApiAnswer.json(200, groups());
                    case 2 ->
                        groupNames().contains(parts[1])
                                ? ApiAnswer.json(200, group(parts[1]))
                                : ApiAnswer.refused(Refusal.noSuchPath());
                    case 3 -> resources(parts[1], parts[2]);
                    default -> null;
                };
            default -> null;
        };
    }

    private static JsonObjectReader version() {
        return Json.object(
                "major", "1", "minor", MINOR, "gitVersion", "v1." + MINOR + ".0+simulated", "platform", "linux/amd64");
    }

    private Set<String> groupNames() {
        Set<String> names = new LinkedHashSet<>();
        for (Resource resource : store.resources()) {
            if (!resource.group().isEmpty()) {
                names.add(resource.group());
            }
        }
        return names;
    }

    private JsonObjectReader groups() {
        List<JsonValue> groups = new ArrayList<>();
        groupNames().forEach(name -> groups.add(group(name)));
        return Json.object("kind", "APIGroupList", "apiVersion", "v1", "groups", groups);
    }

    private JsonObjectReader group(String name) {
        Set<String> versions = new LinkedHashSet<>();
        for (Resource resource : store.resources()) {
            if (resource.group().equals(name)) {
                versions.add(resource.version());
            }
        }
        List<JsonValue> served = new ArrayList<>();
        versions.forEach(version -> served.add(Json.object("groupVersion", name + "/" + version, "version", version)));
        return Json.object(
                "kind",
                "APIGroup",
                "apiVersion",
                "v1",
                "name",
                name,
                "versions",
                served,
                "preferredVersion",
                served.getFirst());
    }

    private ApiAnswer resources(String group, String version) {
        List<JsonValue> resources = new ArrayList<>();
        String groupVersion = group.isEmpty() ? version : group + "/" + version;
        for (Resource resource : store.resources()) {
            if (resource.apiVersion().equals(groupVersion)) {
                resources.add(one(resource, "", resource.kind(), VERBS));
                resources.add(one(resource, "/status", resource.kind(), List.of("get", "patch", "update")));
            }
            if (resource.apiVersion().equals(groupVersion) && resource.equals(Resources.PODS)) {
                resources.add(one(resource, "/eviction", "Eviction", List.of("create")));
            }
        }
        return resources.isEmpty()
                ? ApiAnswer.refused(Refusal.noSuchPath())
                : ApiAnswer.json(
                        200,
                        Json.object(
                                "kind",
                                "APIResourceList",
                                "apiVersion",
                                "v1",
                                "groupVersion",
                                groupVersion,
                                "resources",
                                resources));
    }

    private static JsonObjectReader one(Resource resource, String subresource, String kind, List<String> verbs) {
        String brief = subresource.isEmpty() ? SHORT.get(resource.plural()) : null;
        return Json.object(
                "name",
                resource.plural() + subresource,
                "singularName",
                subresource.isEmpty() ? resource.kind().toLowerCase(Locale.ROOT) : "",
                "namespaced",
                resource.namespaced(),
                "kind",
                kind,
                "verbs",
                verbs,
                "shortNames",
                brief == null ? null : List.of(brief));
    }
}
