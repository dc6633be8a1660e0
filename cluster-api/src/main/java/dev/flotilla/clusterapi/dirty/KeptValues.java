package dev.flotilla.clusterapi.dirty;

import dev.flotilla.clusterapi.coverage.IgnoredFields;
import dev.flotilla.clusterapi.hashing.TargetHasher;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values that a machine really has in fields whose changes are not applied, as the annotation on it has them.
 *
 * @param hashes keyed hashes by kind and path: a value is kept from the first change of its field on
 */
record KeptValues(SortedMap<String, String> hashes) {
    KeptValues {
        hashes = new TreeMap<>(hashes);
    }

    static KeptValues parse(@Nullable String annotation) {
        SortedMap<String, String> hashes = new TreeMap<>();
        KubeObject json = KubeObject.parse(annotation);
        if (json != null) {
            for (int i = 0; i < json.json().size(); i++) {
                String hash = json.text(json.json().name(i));
                if (hash != null) {
                    hashes.put(json.json().name(i), hash);
                }
            }
        }
        return new KeptValues(hashes);
    }

    /** Adds the values of fields that have none yet. */
    KeptValues plus(IgnoredFields fields, TargetHasher hasher) {
        SortedMap<String, String> more = new TreeMap<>(hashes);
        fields.values().forEach((field, value) -> more.putIfAbsent(field, hasher.hash(value)));
        return new KeptValues(more);
    }

    /** Leaves out the fields that are not ignored any more. */
    KeptValues only(IgnoredFields fields) {
        SortedMap<String, String> kept = new TreeMap<>(hashes);
        kept.keySet().retainAll(fields.values().keySet());
        return new KeptValues(kept);
    }

    /** Returns the fields that should have another value. */
    List<String> findDirty(IgnoredFields desired, TargetHasher hasher) {
        return hashes.entrySet().stream()
                .filter(kept -> {
                    JsonObjectReader value = desired.values().get(kept.getKey());
                    return value != null && !hasher.hash(value).equals(kept.getValue());
                })
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the annotation; null for none. */
    @Nullable
    String toAnnotation() {
        if (hashes.isEmpty()) {
            return null;
        }
        JsonObjectReader.Builder json = new JsonObjectReader.Builder();
        hashes.forEach(json::put);
        return KubeObject.toJsonText(json.build());
    }
}
