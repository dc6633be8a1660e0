package dev.flotilla.kube;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** In which version each kind of Cluster API's objects is served: a group may serve one kind in more versions than another. */
public final class ServedVersions {
    private static final List<String> WANTED = List.of("v1beta2", "v1beta1");

    private final KubeApi api;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    public ServedVersions(KubeApi api) {
        this.api = api;
    }

    /** The version to ask for; empty where there is none that we know, null where nobody tells. */
    public @Nullable String of(String group, String plural) {
        return sought(group, plural).version();
    }

    /**
     * What came of looking for a version.
     *
     * @param version as in {@link #of}
     * @param trouble what the API server answered instead of telling
     */
    private record Sought(
            @Nullable String version, @Nullable Reply trouble) {}

    private Sought sought(String group, String plural) {
        String kind = kind(group, plural);
        String version = known.get(kind);
        if (version != null) {
            return new Sought(version, null);
        }
        Reply reply = api.get("/apis/" + group);
        if (reply.isMissing()) {
            return new Sought("", null);
        }
        if (!(reply instanceof Reply.Done done)) {
            return new Sought(null, reply);
        }
        List<Kube> served = done.object().list("versions");
        for (String wanted : WANTED) {
            if (served.stream().anyMatch(each -> wanted.equals(each.text("version")))) {
                Reply inside = api.get("/apis/" + group + "/" + wanted);
                if (!(inside instanceof Reply.Done kinds)) {
                    return new Sought(null, inside);
                }
                for (Kube each : kinds.object().list("resources")) {
                    known.putIfAbsent(kind(group, String.valueOf(each.text("name"))), wanted);
                }
                String found = known.get(kind);
                if (found != null) {
                    return new Sought(found, null);
                }
            }
        }
        return new Sought("", null);
    }

    /** The version that is asked for just now; null where none was asked for yet. */
    public @Nullable String known(String group, String plural) {
        return known.get(kind(group, plural));
    }

    /**
     * Asks for something of a kind in the version that it is served in. Where that has nothing there, and another is served by
     * now, in that.
     */
    public Reply asked(String group, String plural, Function<String, Reply> request) {
        Sought sought = sought(group, plural);
        String version = sought.version();
        if (version == null) {
            // What it says when it is asked in which versions it serves is no word about the object.
            String why = sought.trouble() == null ? "" : sought.trouble().problem();
            return new Reply.Silent(why);
        }
        if (version.isEmpty()) {
            return new Reply.Refused(Reply.NOT_FOUND, kind(group, plural) + " are not served", 0);
        }
        Reply reply = request.apply(group + "/" + version);
        if (!reply.isMissing()) {
            return reply;
        }
        forget(group, plural);
        String now = of(group, plural);
        return now == null || now.isEmpty() || now.equals(version) ? reply : request.apply(group + "/" + now);
    }

    /** It may be another by now. */
    public void forget(String group, String plural) {
        known.remove(kind(group, plural));
    }

    private static String kind(String group, String plural) {
        return plural + "." + group;
    }
}
