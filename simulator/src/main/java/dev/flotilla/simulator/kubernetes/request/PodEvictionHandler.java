package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.kubernetes.store.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods unless a disruption budget forbids it. Each eviction reduces what the budget allows; nothing increases it
 * again.
 */
final class PodEvictionHandler {
    private final ClusterObjectStore store;

    PodEvictionHandler(ClusterObjectStore store) {
        this.store = store;
    }

    WriteResult evict(ObjectReference ref, @Nullable JsonValue body) {
        StoredObject pod = store.get(ref);
        if (pod == null) {
            return ApiError.notFound(ref.resource(), ref.name());
        }
        JsonObjectReader labels = ImmutableJson.inner(pod.tree(), "metadata", "labels");
        for (StoredObject budget :
                store.resourceStore(BuiltInResources.DISRUPTION_BUDGETS).objectsInNamespace(ref.namespace())) {
            if (selects(budget.tree(), labels)) {
                long allowed = ImmutableJson.wholeNumberAt(budget.tree(), "status", "disruptionsAllowed");
                if (allowed <= 0) {
                    return ApiError.tooManyRequests(
                            "Cannot evict pod as it would violate the pod's disruption budget.");
                }
                store.change(
                        budget.ref(), tree -> ImmutableJson.with(tree, allowed - 1, "status", "disruptionsAllowed"));
            }
        }
        return store.delete(ref, ImmutableJson.inner(body, "deleteOptions", "preconditions"));
    }

    private static boolean selects(JsonObjectReader budget, JsonObjectReader labels) {
        if (ImmutableJson.valueAt(budget, "spec", "selector") == null) {
            return false;
        }
        JsonObjectReader wanted = ImmutableJson.inner(budget, "spec", "selector", "matchLabels");
        for (int i = 0; i < wanted.size(); i++) {
            if (!ImmutableJson.same(wanted.value(i), labels.get(wanted.name(i)))) {
                return false;
            }
        }
        for (JsonValue expression : ImmutableJson.items(budget, "spec", "selector", "matchExpressions")) {
            if (!meets(expression, labels)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meets(JsonValue expression, JsonObjectReader labels) {
        JsonValue has = labels.get(ImmutableJson.textAt(expression, "key"));
        boolean listed =
                has != null && ImmutableJson.items(expression, "values").contains(has);
        return switch (ImmutableJson.textAt(expression, "operator")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> has != null;
            case "DoesNotExist" -> has == null;
            default -> false;
        };
    }
}
