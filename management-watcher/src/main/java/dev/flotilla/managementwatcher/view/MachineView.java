package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Machine as the watcher keeps it: a twentieth of the object. {@link ValueInterner} keeps values that machines share
 * once.
 *
 * @param activities what other controllers do to the machine, as far as the Machine shows it; an update in place by
 *     Cluster API is in {@code task}
 * @param provider what upgrades the machine; null if the Machine does not say
 */
public record MachineView(
        MachineKey key,
        String uid,
        long version,
        String cluster,
        MachineRow.@Nullable MachineOwner owner,
        MachineRole role,
        Labels labels,
        @Nullable String node,
        @Nullable String providerId,
        @Nullable String systemUuid,
        boolean ready,
        boolean deleting,
        boolean paused,
        boolean hold,
        boolean optOut,
        @Nullable String kubeletVersion,
        String architecture,
        List<ForeignActivity> activities,
        @Nullable UpgradeProvider provider,
        MachineTaskAnnotations task,
        ObjectAnnotations annotations)
        implements ObjectView {
    public MachineView {
        activities = List.copyOf(activities);
    }

    @Override
    public MachineView withVersion(long other) {
        return new MachineView(
                key,
                uid,
                other,
                cluster,
                owner,
                role,
                labels,
                node,
                providerId,
                systemUuid,
                ready,
                deleting,
                paused,
                hold,
                optOut,
                kubeletVersion,
                architecture,
                activities,
                provider,
                task,
                annotations);
    }
}
