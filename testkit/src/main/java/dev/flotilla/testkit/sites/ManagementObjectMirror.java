package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiResource;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
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
 * Mirrors what simulated controllers write from an embedded management cluster to a real one. Nothing is mirrored back:
 * watchers and workers only use the real one.
 */
final class ManagementObjectMirror {
    /** Owners before the objects that they own. */
    private static final List<ApiResource> IN_ORDER = List.of(
            BuiltInResources.CLUSTERS,
            BuiltInResources.CONTROL_PLANES,
            BuiltInResources.MACHINE_DEPLOYMENTS,
            BuiltInResources.MACHINE_SETS,
            BuiltInResources.MACHINES,
            BuiltInResources.SECRETS,
            BuiltInResources.CONFIG_MAPS,
            BuiltInResources.UPGRADE_PLANS,
            BuiltInResources.NODE_UPGRADE_TEMPLATES);

    private static final List<String> METADATA = List.of("name", "namespace", "labels", "finalizers");

    private final KubeCluster real;
    /** The uid of the real object by the uid of the embedded one. Used by one thread. */
    private final Map<String, String> uids = new HashMap<>();
    /** Changed objects with their latest version; never more than there are objects. */
    private final Map<ObjectReference, StoredObject> latest = new ConcurrentHashMap<>();

    private final BlockingQueue<ObjectReference> changed = new LinkedBlockingQueue<>();

    ManagementObjectMirror(KubeCluster real) {
        this.real = real;
    }

    /** Returns all objects, and records changes from now on. Call it on the store's thread. */
    List<StoredObject> startRecording(ClusterObjectStore store) {
        List<StoredObject> all = new ArrayList<>();
        for (ApiResource resource : IN_ORDER) {
            all.addAll(store.resourceStore(resource).objectsInNamespace(""));
        }
        store.resourceStore(BuiltInResources.MACHINES).watch(objectEvent -> {
            ObjectReference ref = objectEvent.after().ref();
            if (latest.put(ref, objectEvent.after()) == null) {
                changed.add(ref);
            }
        });
        return all;
    }

    /** Creates all objects in the real cluster. */
    void createAll(String namespace, List<StoredObject> all) {
        real.apply(
                "/api/v1/namespaces/" + namespace,
                text(ImmutableJson.object(
                        "apiVersion", "v1", "kind", "Namespace", "metadata", ImmutableJson.object("name", namespace))));
        for (StoredObject object : all) {
            String answer = real.apply(path(object.ref()), text(withoutServerFields(object)));
            uids.put(uid(object.tree()), uid(ImmutableJson.read(answer.getBytes(StandardCharsets.UTF_8))));
            applyStatus(object);
        }
    }

    /** Mirrors changes until it is interrupted. */
    void mirrorChanges(Consumer<RuntimeException> failed) {
        try {
            while (true) {
                StoredObject now = latest.remove(changed.take());
                if (now != null) {
                    applyStatus(now);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    private void applyStatus(StoredObject object) {
        JsonObjectReader status = ImmutableJson.inner(object.tree(), "status");
        if (status.size() > 0) {
            real.apply(
                    path(object.ref()) + "/status",
                    text(head(object)
                            .put(
                                    "metadata",
                                    ImmutableJson.object("name", object.ref().name()))
                            .put("status", status)
                            .build()));
        }
    }

    /** The object as its creator writes it, without the server's fields. */
    private JsonObjectReader withoutServerFields(StoredObject object) {
        JsonObjectReader.Builder all = head(object);
        JsonObjectReader tree = object.tree();
        for (int i = 0; i < tree.size(); i++) {
            if (!all.has(tree.name(i)) && !List.of("metadata", "status").contains(tree.name(i))) {
                all.put(tree.name(i), tree.value(i));
            }
        }
        JsonObjectReader.Builder metadata = new JsonObjectReader.Builder();
        for (String name : METADATA) {
            JsonValue value = ImmutableJson.valueAt(tree, "metadata", name);
            if (value != null) {
                metadata.put(name, value);
            }
        }
        metadata.put("ownerReferences", ImmutableJson.list(owners(tree)));
        return all.put("metadata", metadata.build()).build();
    }

    private List<JsonObjectReader> owners(JsonObjectReader tree) {
        List<JsonObjectReader> owners = new ArrayList<>();
        for (JsonValue owner : ImmutableJson.items(tree, "metadata", "ownerReferences")) {
            if (owner instanceof JsonObjectReader jsonObjectReader) {
                owners.add(ImmutableJson.with(
                        jsonObjectReader, uids.getOrDefault(ImmutableJson.textAt(jsonObjectReader, "uid"), ""), "uid"));
            }
        }
        return owners;
    }

    private static JsonObjectReader.Builder head(StoredObject object) {
        ApiResource resource = object.ref().resource();
        return new JsonObjectReader.Builder()
                .put("apiVersion", resource.apiVersion())
                .put("kind", resource.kind());
    }

    private static String uid(@Nullable JsonValue object) {
        return ImmutableJson.textAt(object, "metadata", "uid");
    }

    private static String path(ObjectReference ref) {
        String group = ref.resource().group().isEmpty() ? "/api/" : "/apis/";
        return group + ref.resource().apiVersion() + "/namespaces/" + ref.namespace() + "/"
                + ref.resource().plural() + "/" + ref.name();
    }

    private static String text(JsonObjectReader object) {
        return new String(ImmutableJson.bytes(object), StandardCharsets.UTF_8);
    }
}
