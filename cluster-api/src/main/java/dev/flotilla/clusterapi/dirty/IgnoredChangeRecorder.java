package dev.flotilla.clusterapi.dirty;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.IgnoredFields;
import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/** Records which values machines keep, before a change is accepted of which a part is not applied. */
@FunctionalInterface
public interface IgnoredChangeRecorder {

    /**
     * Records them.
     *
     * @param object what changes: the Machine, or the MachineSet with its Machines
     * @param keptFields the fields with the values that are kept
     * @return null, or why they could not be recorded
     */
    @Nullable
    String record(HookObject object, KubeObject request, IgnoredFields keptFields);
}
