package dev.flotilla.kube;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The version in which the API server serves each kind of Cluster API's objects, and of Flotilla's. The kinds of one group may have different versions. */
public final class ServedApiVersions {
    private static final List<String> SUPPORTED = List.of("v1beta2", "v1beta1");

    /** The group of Flotilla's own kinds. */
    private static final String OWN_GROUP = "flotilla.dev";

    private static final List<String> SUPPORTED_OF_OWN = List.of("v1alpha1");

    private final KubeApiClient api;
    private final Map<String, String> knownVersionOf = new ConcurrentHashMap<>();

    public ServedApiVersions(KubeApiClient api) {
        this.api = api;
    }

    /** Returns the version for requests; empty if no supported version is served, null if the API server did not answer. */
    public @Nullable String versionOf(String group, String plural) {
        return lookUp(group, plural).version();
    }

    /**
     * The result of a version lookup.
     *
     * @param version as in {@link #versionOf}
     * @param failure the failed response; null on success
     */
    private record VersionLookup(
            @Nullable String version, @Nullable KubeResponse failure) {}

    private VersionLookup lookUp(String group, String plural) {
        String kind = kind(group, plural);
        String version = knownVersionOf.get(kind);
        if (version != null) {
            return new VersionLookup(version, null);
        }
        KubeResponse reply = api.get("/apis/" + group);
        if (reply.isMissing()) {
            return new VersionLookup("", null);
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new VersionLookup(null, reply);
        }
        List<KubeObject> served = successResponse.object().list("versions");
        for (String wanted : group.equals(OWN_GROUP) ? SUPPORTED_OF_OWN : SUPPORTED) {
            if (served.stream().anyMatch(each -> wanted.equals(each.text("version")))) {
                KubeResponse inside = api.get("/apis/" + group + "/" + wanted);
                if (!(inside instanceof KubeResponse.SuccessResponse kinds)) {
                    return new VersionLookup(null, inside);
                }
                for (KubeObject each : kinds.object().list("resources")) {
                    knownVersionOf.putIfAbsent(kind(group, String.valueOf(each.text("name"))), wanted);
                }
                String found = knownVersionOf.get(kind);
                if (found != null) {
                    return new VersionLookup(found, null);
                }
            }
        }
        return new VersionLookup("", null);
    }

    /** Returns the version that was found before; null if none was looked up yet. */
    public @Nullable String knownVersionOf(String group, String plural) {
        return knownVersionOf.get(kind(group, plural));
    }

    /**
     * Sends a request for a kind in its served version. If the response is 404 and another version is served by now, the request
     * is sent again in that version.
     */
    public KubeResponse requestWithVersion(String group, String plural, Function<String, KubeResponse> request) {
        VersionLookup lookup = lookUp(group, plural);
        String version = lookup.version();
        if (version == null) {
            // The response to the lookup says nothing about the object, so it counts as no response.
            String why = lookup.failure() == null ? "" : lookup.failure().problem();
            return new KubeResponse.NoResponse(why);
        }
        if (version.isEmpty()) {
            return new KubeResponse.ErrorResponse(KubeResponse.NOT_FOUND, kind(group, plural) + " are not served", 0);
        }
        KubeResponse reply = request.apply(group + "/" + version);
        if (!reply.isMissing()) {
            return reply;
        }
        forget(group, plural);
        String now = versionOf(group, plural);
        return now == null || now.isEmpty() || now.equals(version) ? reply : request.apply(group + "/" + now);
    }

    /** Forgets the version of a kind, because it may have changed. */
    public void forget(String group, String plural) {
        knownVersionOf.remove(kind(group, plural));
    }

    private static String kind(String group, String plural) {
        return plural + "." + group;
    }
}
