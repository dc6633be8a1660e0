package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.ObjectRef;
import dev.flotilla.simulator.kubernetes.store.Outcome;
import dev.flotilla.simulator.kubernetes.store.Refusal;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Store;
import dev.flotilla.simulator.kubernetes.store.Stored;
import org.jspecify.annotations.Nullable;

/** The polite way to end a pod: a budget may forbid it. What a budget allows is spent by it, and given back by nobody. */
final class Eviction {
    private final Store store;

    Eviction(Store store) {
        this.store = store;
    }

    Outcome evict(ObjectRef ref, @Nullable JsonValue body) {
        Stored pod = store.get(ref);
        if (pod == null) {
            return Refusal.notFound(ref.resource(), ref.name());
        }
        JsonObjectReader labels = Json.inner(pod.tree(), "metadata", "labels");
        for (Stored budget : store.shelf(Resources.DISRUPTION_BUDGETS).in(ref.namespace())) {
            if (selects(budget.tree(), labels)) {
                long allowed = Json.whole(budget.tree(), "status", "disruptionsAllowed");
                if (allowed <= 0) {
                    return Refusal.tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.");
                }
                store.change(budget.ref(), tree -> Json.with(tree, allowed - 1, "status", "disruptionsAllowed"));
            }
        }
        return store.delete(ref, Json.inner(body, "deleteOptions", "preconditions"));
    }

    private static boolean selects(JsonObjectReader budget, JsonObjectReader labels) {
        if (Json.at(budget, "spec", "selector") == null) {
            return false;
        }
        JsonObjectReader wanted = Json.inner(budget, "spec", "selector", "matchLabels");
        for (int i = 0; i < wanted.size(); i++) {
            if (!Json.same(wanted.value(i), labels.get(wanted.name(i)))) {
                return false;
            }
        }
        for (JsonValue expression : Json.items(budget, "spec", "selector", "matchExpressions")) {
            if (!meets(expression, labels)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meets(JsonValue expression, JsonObjectReader labels) {
        JsonValue has = labels.get(Json.text(expression, "key"));
        boolean listed = has != null && Json.items(expression, "values").contains(has);
        return switch (Json.text(expression, "operator")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> has != null;
            case "DoesNotExist" -> has == null;
            default -> false;
        };
    }
}
