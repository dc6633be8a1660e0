package dev.flotilla.managementwatcher.watch;

import dev.flotilla.kube.Kube;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.Reply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** In which version each API group is served. */
public final class ServedVersions {
    private static final List<String> WANTED = List.of("v1beta2", "v1beta1");

    private final KubeApi api;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    public ServedVersions(KubeApi api) {
        this.api = api;
    }

    /** The version to ask for; empty where there is none that we know, null where nobody tells. */
    public @Nullable String of(String group) {
        String version = known.get(group);
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
        String found = WANTED.stream()
                .filter(wanted -> served.stream().anyMatch(each -> wanted.equals(each.text("version"))))
                .findFirst()
                .orElse("");
        if (!found.isEmpty()) {
            known.put(group, found);
        }
        return found;
    }

    /** The version that is asked for just now; null where none was asked for yet. */
    public @Nullable String known(String group) {
        return known.get(group);
    }

    /** It may be another by now. */
    void forget(String group) {
        known.remove(group);
    }
}
