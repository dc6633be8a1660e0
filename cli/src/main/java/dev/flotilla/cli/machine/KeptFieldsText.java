package dev.flotilla.cli.machine;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.MachineRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code flotilla machine get} says of fields in which a machine keeps old values: their changes were accepted and not applied. */
final class KeptFieldsText {
    private KeptFieldsText() {}

    /** Whether a machine keeps old values. */
    static boolean isDirty(MachineView machine) {
        return machine.labels().get(LabelKeys.DIRTY) != null;
    }

    /** Returns nothing for a machine that is as it is described. */
    static List<String> lines(MachineView machine, @Nullable MachineRow row) {
        if (!isDirty(machine)) {
            return List.of();
        }
        String fields = row == null ? null : row.unappliedFields();
        List<String> lines = new ArrayList<>();
        if (fields == null) {
            lines.add("Dirty: the machine keeps old values, because changes were accepted and not applied. Annotation "
                    + AnnotationKeys.DIRTY + " of the Machine names the fields.");
        } else {
            lines.add("Dirty: the machine keeps old values of these fields, because their changes were accepted and not"
                    + " applied:");
            for (String field : fields.split(", ", -1)) {
                lines.add("  " + describe(field));
            }
        }
        lines.add(
                "  To do: nothing, if the old values will do. Otherwise delete the Machine: the one that replaces it has"
                        + " the new values. The mark goes too when the fields have their old values again.");
        return lines;
    }

    /** A field is a kind and a path; the setting is that of the kind. */
    private static String describe(String field) {
        int space = field.indexOf(' ');
        return space < 0 ? field : field + " (accepted by the setting ignore." + field.substring(0, space) + ")";
    }
}
