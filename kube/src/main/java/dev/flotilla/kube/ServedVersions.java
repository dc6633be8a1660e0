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
        String kind = kind(group, plural);
        String version = known.get(kind);
        if (version != null) {
            return version;
        }
        Reply reply = api.get("/apis/" + group);
        if (reply.isMissing()) {
            return "";
        }
        if (!(reply instanceof Reply.Done done)) {
            return null;
        }
        List<Kube> served = done.object().list("versions");
        for (String wanted : WANTED) {
            if (served.stream().anyMatch(each -> wanted.equals(each.text("version")))) {
                if (!(api.get("/apis/" + group + "/" + wanted) instanceof Reply.Done kinds)) {
                    return null;
                }
                for (Kube each : kinds.object().list("resources")) {
                    known.putIfAbsent(kind(group, String.valueOf(each.text("name"))), wanted);
                }
                String found = known.get(kind);
                if (found != null) {
                    return found;
                }
            }
        }
        return "";
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
        String version = of(group, plural);
        if (version == null) {
            return new Reply.Silent("nobody tells in which version " + kind(group, plural) + " are served");
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
