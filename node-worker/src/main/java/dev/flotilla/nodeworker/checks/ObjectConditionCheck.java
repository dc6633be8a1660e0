package dev.flotilla.nodeworker.checks;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.row.HealthCheck.ObjectConditionProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks conditions of objects. */
final class ObjectConditionCheck {
    private static final int MOST = 1_000;

    private ObjectConditionCheck() {}

    /** Returns which condition is not met; null if all are. */
    static @Nullable String findUnmetCondition(
            KubeApiClient api, ObjectConditionProbe wanted, UnaryOperator<String> filled) {
        List<String> others = new ArrayList<>();
        int[] seen = new int[1];
        String unread = api.forEachObject(
                KubeApiPath.listPath(wanted.apiVersion(), wanted.namespace(), wanted.resource()),
                selector(wanted, filled),
                MOST,
                object -> {
                    seen[0]++;
                    if (!object.isCondition(wanted.type(), wanted.status())) {
                        others.add(describe(object, wanted.type()));
                    }
                });
        if (unread != null) {
            return wanted.resource() + " cannot be listed: " + unread;
        }
        if (seen[0] == 0) {
            return "there are no " + wanted.resource() + " with these labels";
        }
        return others.isEmpty()
                ? null
                : others.size() + " of " + seen[0] + " " + wanted.resource() + " are not " + wanted.type() + " "
                        + wanted.status() + ", such as " + others.getFirst();
    }

    private static String selector(ObjectConditionProbe wanted, UnaryOperator<String> filled) {
        return wanted.labels().values().isEmpty()
                ? ""
                : "&labelSelector="
                        + KubeApiPath.encodeQueryValue(wanted.labels().values().entrySet().stream()
                                .map(label -> label.getKey() + "=" + filled.apply(label.getValue()))
                                .collect(Collectors.joining(",")));
    }

    private static String describe(KubeObject object, String type) {
        KubeObject condition = object.condition(type);
        String status = condition == null ? null : condition.text("status");
        String message = condition == null ? null : condition.text("message");
        return object.name() + " (" + (status == null ? "says nothing of it" : status)
                + (message == null ? "" : ": " + message) + ")";
    }
}
