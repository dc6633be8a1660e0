package dev.flotilla.clusterapi.plan;

import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects of a management cluster, found by kind, namespace and name. */
final class ClusterObjects {
    private final Map<ObjectKey, KubeObject> objects = new LinkedHashMap<>();

    /** What tells objects apart. The API version does not: an export may have another than the change. */
    private record ObjectKey(String kind, String namespace, String name) {
        static ObjectKey of(KubeObject object) {
            return new ObjectKey(kindOf(object), object.namespace(), object.name());
        }
    }

    public ClusterObjects(Collection<KubeObject> objects) {
        objects.forEach(this::put);
    }

    static String kindOf(KubeObject object) {
        String kind = object.text("kind");
        return kind == null ? "" : kind;
    }

    void put(KubeObject object) {
        objects.put(ObjectKey.of(object), object);
    }

    @Nullable
    KubeObject find(@Nullable String kind, String namespace, @Nullable String name) {
        return kind == null || name == null ? null : objects.get(new ObjectKey(kind, namespace, name));
    }

    /** Finds the object that a reference such as {@code infrastructureRef} names. */
    @Nullable
    KubeObject find(KubeObject reference, String namespace) {
        return find(reference.text("kind"), namespace, reference.text("name"));
    }

    List<KubeObject> ofKind(String kind) {
        return objects.values().stream()
                .filter(object -> kindOf(object).equals(kind))
                .toList();
    }

    List<KubeObject> all() {
        return new ArrayList<>(objects.values());
    }
}
