package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * The condition of an object that shows the state of its upgrade.
 *
 * @param status {@code True} once the upgrade is done
 * @param since when the status changed last
 */
public record UpgradeCondition(String status, String reason, String message, String since) {
    public static final String TYPE = "InPlaceUpgradeStatus";

    static @Nullable UpgradeCondition readFrom(KubeObject object) {
        KubeObject condition = object.condition(TYPE);
        return condition == null
                ? null
                : new UpgradeCondition(
                        text(condition, "status"),
                        text(condition, "reason"),
                        text(condition, "message"),
                        text(condition, "lastTransitionTime"));
    }

    private static String text(KubeObject condition, String name) {
        String text = condition.text(name);
        return text == null ? "" : text;
    }
}
