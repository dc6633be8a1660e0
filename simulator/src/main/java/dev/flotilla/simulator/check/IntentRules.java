package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.Role;
import org.jspecify.annotations.Nullable;

/** Whose turn it is: what a machine is asked for itself, then its owner, then its cluster, and campaigns after all of them. */
final class IntentRules {
    private final Recount rows;
    private final Verdicts verdicts;
    private final VersionRules versions;

    IntentRules(Recount rows, Verdicts verdicts) {
        this.rows = rows;
        this.verdicts = verdicts;
        this.versions = new VersionRules(rows);
    }

    void check(Attempt attempt, MachineRow machine) {
        Intent first = first(machine);
        if (attempt.driver() instanceof Driver.OfIntent by) {
            verdicts.require(
                    first != null
                            && first.object().equals(by.object())
                            && first.since().equals(by.since())
                            && first.option().equals(attempt.target()),
                    Invariant.TURN,
                    machine.key() + " started for the " + by + " to " + attempt.target() + ", but its turn has "
                            + first);
            String version = first == null ? null : versions.forbids(first, machine);
            verdicts.require(
                    version == null,
                    Invariant.VERSION,
                    machine.key() + " started for the annotation of " + by.object() + ": it goes " + version);
        } else {
            // A campaign that has begun a control plane keeps it until it is done.
            verdicts.require(
                    first == null || machine.role() == Role.CONTROL_PLANE,
                    Invariant.TURN,
                    machine.key() + " started for " + attempt.driver() + ", but its turn has " + first);
        }
    }

    /** The first intent that it has not ended for; null for none. */
    @Nullable
    Intent first(MachineRow machine) {
        Intent own = rows.intent(machine.key());
        if (own != null && own.uid().equals(machine.uid()) && isOpen(machine, own)) {
            return own;
        }
        OwnerKey owner = Recount.ownerOf(machine);
        Intent owners = owner == null ? null : rows.intent(owner);
        if (owners != null && isOpen(machine, owners)) {
            return owners;
        }
        Intent whole = rows.intent(machine.clusterKey());
        return whole != null && isOpen(machine, whole) ? whole : null;
    }

    private boolean isOpen(MachineRow machine, Intent intent) {
        Driver driver = new Driver.OfIntent(intent.object(), intent.since());
        Entry entry = Recount.entry(rows.status(machine.key()), driver);
        return entry == null || !entry.outcome().ended();
    }
}
