package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * The condition in which an object says how its upgrade is.
 *
 * @param status {@code True} where it is done
 * @param since the status is this one
 */
public record UpgradeCondition(String status, String reason, String message, String since) {
    public static final String TYPE = "InPlaceUpgradeStatus";

    static @Nullable UpgradeCondition readFrom(KubeObject object) {
        KubeObject there = object.condition(TYPE);
        return there == null
                ? null
                : new UpgradeCondition(
                        text(there, "status"),
                        text(there, "reason"),
                        text(there, "message"),
                        text(there, "lastTransitionTime"));
    }

    private static String text(KubeObject condition, String name) {
        String text = condition.text(name);
        return text == null ? "" : text;
    }
}
