package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.inventory.MachineCursor;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Text form of a position among the machines, as a page cursor: {@code <site>/<namespace>/<cluster>/<machine>}. */
public final class MachineCursorFormat {
    private MachineCursorFormat() {}

    public static String format(MachineCursor machineCursor) {
        return machineCursor.cluster() + "/" + machineCursor.machine();
    }

    /** The position that a text names, or null. */
    public static @Nullable MachineCursor parse(String text) {
        int slash = text.lastIndexOf('/');
        ClusterKey cluster = slash < 0 ? null : parseCluster(text.substring(0, slash));
        String machine = text.substring(slash + 1);
        boolean isValid = machine.isEmpty() || NameValidator.problemOfSubdomain(machine) == null;
        return cluster == null || !isValid ? null : new MachineCursor(cluster, machine);
    }

    /** The cluster that a text such as {@code site/namespace/name} names, or null. */
    public static @Nullable ClusterKey parseCluster(String text) {
        // Machines and clusters have the same key format.
        MachineKey key = RecordKeyFormat.machine(text);
        return key == null ? null : new ClusterKey(key.site(), key.namespace(), key.name());
    }

    /** The position after a machine of a cluster. */
    static MachineCursor cursorOf(MachineListItem machine) {
        ClusterKey cluster = parseCluster(Objects.requireNonNull(machine.cluster()));
        String name = machine.machine().substring(machine.machine().lastIndexOf('/') + 1);
        return new MachineCursor(Objects.requireNonNull(cluster), name);
    }
}
