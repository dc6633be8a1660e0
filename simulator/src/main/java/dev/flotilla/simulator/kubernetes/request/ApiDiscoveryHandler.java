package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.ApiResource;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers discovery requests: which APIs and resources a cluster serves. */
final class ApiDiscoveryHandler {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    /** The Kubernetes minor version of the API server, which is independent of the simulated nodes. */
    private static final String MINOR = "34";

    /** Short names of resources, by plural. */
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

    private final ClusterObjectStore store;

    ApiDiscoveryHandler(ClusterObjectStore store) {
        this.store = store;
    }

    /** Handles a discovery request; null if the path is no discovery path. */
    @Nullable
    ApiResponse handleRequest(String path) {
        String[] parts = path.substring(1).split("/", 0);
        return switch (parts[0]) {
            case "healthz", "livez", "readyz" -> ApiResponse.text("ok");
            case "version" -> ApiResponse.json(200, version());
            case "api" ->
                parts.length == 1
                        ? ApiResponse.json(200, ImmutableJson.object("kind", "APIVersions", "versions", List.of("v1")))
                        : parts.length == 2 ? resources("", parts[1]) : null;
            case "apis" ->
                switch (parts.length) {
                    case 1 -> ApiResponse.json(200, groups());
                    case 2 ->
                        groupNames().contains(parts[1])
                                ? ApiResponse.json(200, group(parts[1]))
                                : ApiResponse.errorResponse(ApiError.noSuchPath());
                    case 3 -> resources(parts[1], parts[2]);
                    default -> null;
                };
            default -> null;
        };
    }

    private static JsonObjectReader version() {
        return ImmutableJson.object(
                "major", "1", "minor", MINOR, "gitVersion", "v1." + MINOR + ".0+simulated", "platform", "linux/amd64");
    }

    private Set<String> groupNames() {
        Set<String> names = new LinkedHashSet<>();
        for (ApiResource resource : store.resources()) {
            if (!resource.group().isEmpty()) {
                names.add(resource.group());
            }
        }
        return names;
    }

    private JsonObjectReader groups() {
        List<JsonValue> groups = new ArrayList<>();
        groupNames().forEach(name -> groups.add(group(name)));
        return ImmutableJson.object("kind", "APIGroupList", "apiVersion", "v1", "groups", groups);
    }

    private JsonObjectReader group(String name) {
        Set<String> versions = new LinkedHashSet<>();
        for (ApiResource resource : store.resources()) {
            if (resource.group().equals(name)) {
                versions.add(resource.version());
            }
        }
        List<JsonValue> served = new ArrayList<>();
        versions.forEach(
                version -> served.add(ImmutableJson.object("groupVersion", name + "/" + version, "version", version)));
        return ImmutableJson.object(
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

    private ApiResponse resources(String group, String version) {
        List<JsonValue> resources = new ArrayList<>();
        String groupVersion = group.isEmpty() ? version : group + "/" + version;
        for (ApiResource resource : store.resources()) {
            if (resource.apiVersion().equals(groupVersion)) {
                resources.add(describeResource(resource, "", resource.kind(), VERBS));
                resources.add(
                        describeResource(resource, "/status", resource.kind(), List.of("get", "patch", "update")));
            }
            if (resource.apiVersion().equals(groupVersion) && resource.equals(BuiltInResources.PODS)) {
                resources.add(describeResource(resource, "/eviction", "Eviction", List.of("create")));
            }
        }
        return resources.isEmpty()
                ? ApiResponse.errorResponse(ApiError.noSuchPath())
                : ApiResponse.json(
                        200,
                        ImmutableJson.object(
                                "kind",
                                "APIResourceList",
                                "apiVersion",
                                "v1",
                                "groupVersion",
                                groupVersion,
                                "resources",
                                resources));
    }

    private static JsonObjectReader describeResource(
            ApiResource resource, String subresource, String kind, List<String> verbs) {
        String brief = subresource.isEmpty() ? SHORT.get(resource.plural()) : null;
        return ImmutableJson.object(
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
