package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.report.Amendment.Draft;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a worker left on a Machine though its attempt is over: it died, or could not reach the API server then. */
public final class GuardSweep {
    /** Whatever an attempt may have set: a mark that names more is not believed. */
    private static final List<String> EVER = List.of(Wording.SKIP_REMEDIATION, Wording.SCALE_DOWN_DISABLED);

    private GuardSweep() {}

    /** Whether a mark is there of an attempt that is over. */
    public static boolean isLeftOver(MachineView machine, @Nullable Told told) {
        KubeObject mark = KubeObject.parse(machine.notes().attempt());
        Long attempt = mark == null ? null : mark.number("attempt");
        UpgradeAttempt open = told == null || !told.row().uid().equals(machine.uid())
                ? null
                : told.row().attempt();
        return attempt != null && (open == null || open.id() > attempt);
    }

    /** What takes it away. */
    public static @Nullable Amendment of(MachineView machine) {
        KubeObject mark = KubeObject.parse(machine.notes().attempt());
        if (mark == null) {
            return null;
        }
        Draft draft = new Draft().want(Wording.ATTEMPT, null, machine.notes().attempt());
        mark.texts("set").stream()
                .filter(EVER::contains)
                .forEach(annotation -> draft.want(annotation, null, annotation));
        return new Amendment(machine.key(), machine.uid(), machine.version(), draft.annotations(), null);
    }
}
