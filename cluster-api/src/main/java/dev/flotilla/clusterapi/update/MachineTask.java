package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.kube.LabelKeys;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An UpgradeTask of one machine, as an update needs it.
 *
 * @param target the hash of what it applies
 * @param round which task of this machine it is, from 1
 * @param phase null before the watcher has written one
 * @param finishedAt when it has ended; null if it has not
 * @param gate the gate that the machine waits at; null for none
 * @param running whether the machine is upgraded
 */
record MachineTask(
        String name,
        String uid,
        String target,
        int round,
        boolean aborting,
        @Nullable String phase,
        @Nullable Instant finishedAt,
        @Nullable String gate,
        boolean running) {
    /** The label with the uid of the machine. */
    static final String MACHINE_UID = LabelKeys.MACHINE_UID;

    /** The annotation with the hash of what the task applies. */
    static final String TARGET = "flotilla.dev/update-target";

    /** The annotation that counts the tasks of one machine. */
    static final String ROUND = "flotilla.dev/update-round";

    static final String COMPLETED = "Completed";
    static final String FAILED = "Failed";
    static final String ABORTED = "Aborted";

    private static final Pattern ROUND_TEXT = Pattern.compile("[1-9][0-9]{0,8}");
    private static final Pattern NUMBERED_NAME = Pattern.compile(".*-[0-9a-f]{8}-([1-9][0-9]{0,8})");

    private static final Set<String> FINAL = Set.of(COMPLETED, FAILED, ABORTED);

    static MachineTask of(KubeObject task, String machine) {
        KubeObject status = task.list("status", "machines").stream()
                .filter(each -> machine.equals(each.text("name")))
                .findFirst()
                .orElse(KubeObject.EMPTY);
        String target = task.annotation(TARGET);
        return new MachineTask(
                task.name(),
                task.uid(),
                target == null ? "" : target,
                readRound(task.annotation(ROUND), task.name()),
                "Abort".equals(task.text("spec", "phase")) || task.isDeleting(),
                task.text("status", "phase"),
                task.instant("status", "finishedAt"),
                status.text("gate"),
                "InProgress".equals(status.text("state")));
    }

    /** A task that has lost its annotation has its number in its name. */
    private static int readRound(@Nullable String text, String name) {
        if (text != null && ROUND_TEXT.matcher(text).matches()) {
            return Integer.parseInt(text);
        }
        Matcher numbered = NUMBERED_NAME.matcher(name);
        return numbered.matches() ? Integer.parseInt(numbered.group(1)) : 1;
    }

    boolean isFinished() {
        return phase != null && FINAL.contains(phase);
    }
}
