package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.ObjectRef;
import dev.flotilla.simulator.kubernetes.store.Resource;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Store;
import dev.flotilla.simulator.kubernetes.store.Stored;
import dev.flotilla.testkit.kube.KubeCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What simulated controllers write to an embedded management cluster, written to a real one. Nothing comes back: whoever
 * watches or upgrades its machines has the real one alone before him.
 */
final class Mirror {
    /** Owners before what they own. */
    private static final List<Resource> IN_ORDER = List.of(
            Resources.CLUSTERS,
            Resources.CONTROL_PLANES,
            Resources.MACHINE_DEPLOYMENTS,
            Resources.MACHINE_SETS,
            Resources.MACHINES,
            Resources.SECRETS,
            Resources.CONFIG_MAPS);

    private static final List<String> METADATA = List.of("name", "namespace", "labels", "finalizers");

    private final KubeCluster real;
    /** By the uid of the embedded object that of the real one. Used by one thread. */
    private final Map<String, String> uids = new HashMap<>();
    /** What has changed and how it is now; no more than there are objects. */
    private final Map<ObjectRef, Stored> latest = new ConcurrentHashMap<>();

    private final BlockingQueue<ObjectRef> changed = new LinkedBlockingQueue<>();

    Mirror(KubeCluster real) {
        this.real = real;
    }

    /** Everything there is, and tells of what changes from now on. For use on the thread of the store. */
    List<Stored> begin(Store store) {
        List<Stored> all = new ArrayList<>();
        for (Resource resource : IN_ORDER) {
            all.addAll(store.shelf(resource).in(""));
        }
        store.shelf(Resources.MACHINES).watch(happening -> {
            ObjectRef ref = happening.after().ref();
            if (latest.put(ref, happening.after()) == null) {
                changed.add(ref);
            }
        });
        return all;
    }

    /** Makes the real cluster have all of it. */
    void layOut(String namespace, List<Stored> all) {
        real.apply(
                "/api/v1/namespaces/" + namespace,
                text(Json.object("apiVersion", "v1", "kind", "Namespace", "metadata", Json.object("name", namespace))));
        for (Stored each : all) {
            String answer = real.apply(path(each.ref()), text(itself(each)));
            uids.put(uid(each.tree()), uid(Json.read(answer.getBytes(StandardCharsets.UTF_8))));
            status(each);
        }
    }

    /** Carries changes over, until it is interrupted. */
    void follow(Consumer<RuntimeException> failed) {
        try {
            while (true) {
                Stored now = latest.remove(changed.take());
                if (now != null) {
                    status(now);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    private void status(Stored object) {
        JsonObjectReader status = Json.inner(object.tree(), "status");
        if (status.size() > 0) {
            real.apply(
                    path(object.ref()) + "/status",
                    text(head(object)
                            .put("metadata", Json.object("name", object.ref().name()))
                            .put("status", status)
                            .build()));
        }
    }

    /** The object as whoever makes it writes it: without what only a server can say. */
    private JsonObjectReader itself(Stored object) {
        JsonObjectReader.Builder all = head(object);
        JsonObjectReader tree = object.tree();
        for (int i = 0; i < tree.size(); i++) {
            if (!all.has(tree.name(i)) && !List.of("metadata", "status").contains(tree.name(i))) {
                all.put(tree.name(i), tree.value(i));
            }
        }
        JsonObjectReader.Builder metadata = new JsonObjectReader.Builder();
        for (String name : METADATA) {
            JsonValue value = Json.at(tree, "metadata", name);
            if (value != null) {
                metadata.put(name, value);
            }
        }
        metadata.put("ownerReferences", Json.list(owners(tree)));
        return all.put("metadata", metadata.build()).build();
    }

    private List<JsonObjectReader> owners(JsonObjectReader tree) {
        List<JsonObjectReader> owners = new ArrayList<>();
        for (JsonValue owner : Json.items(tree, "metadata", "ownerReferences")) {
            if (owner instanceof JsonObjectReader jsonObjectReader) {
                owners.add(Json.with(jsonObjectReader, uids.getOrDefault(Json.text(jsonObjectReader, "uid"), ""), "uid"));
            }
        }
        return owners;
    }

    private static JsonObjectReader.Builder head(Stored object) {
        Resource resource = object.ref().resource();
        return new JsonObjectReader.Builder().put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    }

    private static String uid(@Nullable JsonValue object) {
        return Json.text(object, "metadata", "uid");
    }

    private static String path(ObjectRef ref) {
        String group = ref.resource().group().isEmpty() ? "/api/" : "/apis/";
        return group + ref.resource().apiVersion() + "/namespaces/" + ref.namespace() + "/"
                + ref.resource().plural() + "/" + ref.name();
    }

    private static String text(JsonObjectReader object) {
        return new String(Json.bytes(object), StandardCharsets.UTF_8);
    }
}
