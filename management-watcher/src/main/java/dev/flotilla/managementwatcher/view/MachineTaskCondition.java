package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a Machine that belongs to an UpgradeTask.
 *
 * @param since when the status changed last; empty before the first write
 */
public record MachineTaskCondition(String type, String status, String reason, String message, String since) {
    /** Says how far the upgrade of the Machine is, where Cluster API does not drive it. */
    public static final String UP_TO_DATE = "MachineUpToDate";

    /**
     * True once the upgrade has failed for good. A MachineHealthCheck can match it: that matches a type and a status, and {@link
     * #UP_TO_DATE} is False of machines that wait, too.
     */
    public static final String UPGRADE_FAILED = "flotilla.dev/UpgradeFailed";

    private static final String FAILED = "Failed";
    private static final int MAX_MESSAGE = 1_024;

    static @Nullable MachineTaskCondition readFrom(KubeObject machine) {
        for (String type : List.of(UP_TO_DATE, UPGRADE_FAILED)) {
            KubeObject condition = machine.condition(type);
            if (condition != null) {
                return new MachineTaskCondition(
                        type,
                        orEmpty(condition.text("status")),
                        orEmpty(condition.text("reason")),
                        orEmpty(condition.text("message")),
                        orEmpty(condition.text("lastTransitionTime")));
            }
        }
        return null;
    }

    /** Returns the condition of a machine whose upgrade has failed for good. */
    public static MachineTaskCondition upgradeFailed(String reason, String text) {
        String message = reason + ": " + text;
        return new MachineTaskCondition(
                UPGRADE_FAILED,
                "True",
                FAILED,
                message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE),
                "");
    }

    /** Whether it says that the upgrade has failed for good. */
    public boolean showsFinalFailure() {
        return type.equals(UPGRADE_FAILED) || reason.equals(FAILED);
    }

    /** Whether both say the same, whenever they began to. */
    public boolean saysSameAs(MachineTaskCondition other) {
        return type.equals(other.type)
                && status.equals(other.status)
                && reason.equals(other.reason)
                && message.equals(other.message);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
