package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeObject;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One machine at a time, whatever anybody else does: no pause, no gate, no end of trying. */
final class MachineController {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ENGLISH);
    private static final String NAME = "canonical";

    private final Marks marks;
    private final RefreshLedger nodes;

    MachineController(Marks marks, RefreshLedger nodes) {
        this.marks = marks;
        this.nodes = nodes;
    }

    void reconcile(KubeObject machine) {
        String to = machine.annotation(Marks.TO);
        if (to == null) {
            return;
        }
        String changeId = machine.annotation(Marks.CHANGE_ID);
        if (changeId == null) {
            request(machine, to);
            return;
        }
        String status = machine.annotation(Marks.STATUS);
        if (Marks.IN_PROGRESS.equals(status)) {
            if (nodes.polled(machine.name(), changeId)) {
                write(machine, Marks.changes(Marks.STATUS, Marks.DONE));
            }
        } else if (Marks.DONE.equals(status)) {
            // The release is what is asked for now, whatever was asked of the node.
            write(
                    machine,
                    Marks.changes(Marks.TO, null, Marks.CHANGE_ID, null, Marks.LAST_FAILED, null, Marks.RELEASE, to));
        } else if (Marks.FAILED.equals(status)) {
            write(machine, Marks.changes(Marks.STATUS, null, Marks.CHANGE_ID, null));
        } else {
            String now = TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
            write(machine, Marks.changes(Marks.STATUS, Marks.FAILED, Marks.LAST_FAILED, now));
        }
    }

    /** The release is forgotten before the node is asked, and the second write is told from the first object. */
    private void request(KubeObject machine, String to) {
        write(machine, Marks.changes(Marks.STATUS, null, Marks.CHANGE_ID, null, Marks.RELEASE, null));
        String changeId = nodes.refresh(machine.name(), to, NAME);
        if (changeId != null) {
            write(
                    machine,
                    Marks.changes(Marks.RELEASE, null, Marks.STATUS, Marks.IN_PROGRESS, Marks.CHANGE_ID, changeId));
        }
    }

    private void write(KubeObject machine, Map<String, @Nullable String> changes) {
        marks.write(Place.MACHINES, machine, changes);
    }
}
