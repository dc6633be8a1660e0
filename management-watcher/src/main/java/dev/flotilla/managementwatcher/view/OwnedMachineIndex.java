package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.MachineRow;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The machines of each owner, whether or not the owner itself is known. */
final class OwnedMachineIndex {
    private final Map<OwnerKey, Set<MachineKey>> owned = new HashMap<>();

    /** Returns the key of a machine's owner; null if it has none. */
    static @Nullable OwnerKey ownerOf(MachineView machine) {
        MachineRow.MachineOwner owner = machine.owner();
        return owner == null
                ? null
                : new OwnerKey(machine.key().site(), owner.kind(), machine.key().namespace(), owner.name());
    }

    Set<MachineKey> machinesOf(OwnerKey owner) {
        return owned.getOrDefault(owner, Set.of());
    }

    /** Replaces a machine by its later view; null for a machine that was not there, or is not there any more. */
    void replace(@Nullable MachineView before, @Nullable MachineView after) {
        if (before != null) {
            remove(before);
        }
        OwnerKey owner = after == null ? null : ownerOf(after);
        if (after != null && owner != null) {
            owned.computeIfAbsent(owner, first -> new LinkedHashSet<>()).add(after.key());
        }
    }

    private void remove(MachineView machine) {
        OwnerKey owner = ownerOf(machine);
        Set<MachineKey> all = owner == null ? null : owned.get(owner);
        if (all != null) {
            all.remove(machine.key());
            if (all.isEmpty()) {
                owned.remove(owner);
            }
        }
    }
}
