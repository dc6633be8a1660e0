package dev.flotilla.kube;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** In which version each kind of Cluster API's objects is served: a group may serve one kind in more versions than another. */
public final class ServedApiVersions {
    private static final List<String> WANTED = List.of("v1beta2", "v1beta1");

    private final KubeApiClient api;
    private final Map<String, String> knownVersionOf = new ConcurrentHashMap<>();

    public ServedApiVersions(KubeApiClient api) {
        this.api = api;
    }

    /** The version to ask for; empty where there is none that we know, null where nobody tells. */
    public @Nullable String versionOf(String group, String plural) {
        return sought(group, plural).version();
    }

    /**
     * What came of looking for a version.
     *
     * @param version as in {@link #versionOf}
     * @param trouble what the API server answered instead of telling
     */
    private record Sought(
            @Nullable String version, @Nullable KubeResponse trouble) {}

    private Sought sought(String group, String plural) {
        String kind = kind(group, plural);
        String version = knownVersionOf.get(kind);
        if (version != null) {
            return new Sought(version, null);
        }
        KubeResponse reply = api.get("/apis/" + group);
        if (reply.isMissing()) {
            return new Sought("", null);
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new Sought(null, reply);
        }
        List<KubeObject> served = successResponse.object().list("versions");
        for (String wanted : WANTED) {
            if (served.stream().anyMatch(each -> wanted.equals(each.text("version")))) {
                KubeResponse inside = api.get("/apis/" + group + "/" + wanted);
                if (!(inside instanceof KubeResponse.SuccessResponse kinds)) {
                    return new Sought(null, inside);
                }
                for (KubeObject each : kinds.object().list("resources")) {
                    knownVersionOf.putIfAbsent(kind(group, String.valueOf(each.text("name"))), wanted);
                }
                String found = knownVersionOf.get(kind);
                if (found != null) {
                    return new Sought(found, null);
                }
            }
        }
        return new Sought("", null);
    }

    /** The version that is asked for just now; null where none was asked for yet. */
    public @Nullable String knownVersionOf(String group, String plural) {
        return knownVersionOf.get(kind(group, plural));
    }

    /**
     * Asks for something of a kind in the version that it is served in. Where that has nothing there, and another is served by
     * now, in that.
     */
    public KubeResponse requestWithVersion(String group, String plural, Function<String, KubeResponse> request) {
        Sought sought = sought(group, plural);
        String version = sought.version();
        if (version == null) {
            // What it says when it is asked in which versions it serves is no word about the object.
            String why = sought.trouble() == null ? "" : sought.trouble().problem();
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

    /** It may be another by now. */
    public void forget(String group, String plural) {
        knownVersionOf.remove(kind(group, plural));
    }

    private static String kind(String group, String plural) {
        return plural + "." + group;
    }
}
