package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimMachineOwner;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.List;
import java.util.function.Function;

/** Changes to the owners of machines: operators set intents, change them, and scale, pause and delete owners. */
final class OwnerFaults {
    private static final int MINUTE = 60_000;

    private final SeededRandom chance;
    private final SimFleet fleet;
    private final VirtualClockScheduler scheduler;
    private final Function<String, SimNode> newNode;
    private final SeededRandom activities;
    private int joined;

    OwnerFaults(
            SeededRandom chance, SimFleet fleet, VirtualClockScheduler scheduler, Function<String, SimNode> newNode) {
        this.chance = chance;
        this.fleet = fleet;
        this.scheduler = scheduler;
        this.newNode = newNode;
        this.activities = chance.split("activities");
    }

    void injectOwnerFault() {
        List<SimMachineOwner> owners = fleet.owners();
        if (owners.isEmpty()) {
            return;
        }
        SimMachineOwner owner = chance.pick(owners);
        long length = chance.between(2 * MINUTE, 30 * MINUTE);
        if (activities.percent(30)) {
            startOwnerActivity(owner);
        }
        switch (chance.below(10)) {
            case 0 -> {
                fleet.setPaused(owner, true);
                scheduler.after(length, () -> fleet.setPaused(owner, false));
            }
            case 1 -> {
                fleet.setHold(owner, true);
                scheduler.after(length, () -> fleet.setHold(owner, false));
            }
            case 2 -> grow(owner);
            case 3 -> shrink(owner, length);
            case 4 -> fleet.setIntent(owner, null);
            case 5 ->
                owner.cluster()
                        .owners()
                        .forEach(other -> fleet.setIntent(other, RandomUpgradeTargets.randomTarget(chance, other)));
            case 6 -> overruleIntent(owner);
            case 7 -> changeIntentTwice(owner, length / 6);
            case 8 -> {
                if (chance.percent(20)) {
                    delete(owner, length / 4);
                }
            }
            default -> fleet.setIntent(owner, RandomUpgradeTargets.randomTarget(chance, owner));
        }
    }

    /** Lets the owner roll, scale, remediate or renew certificates, with all of its machines or some. */
    private void startOwnerActivity(SimMachineOwner owner) {
        ForeignActivity foreignActivity = activities.pick(List.of(
                ForeignActivity.ROLLING,
                ForeignActivity.SCALING,
                ForeignActivity.REMEDIATION,
                ForeignActivity.CERTIFICATES));
        long length = activities.between(2 * MINUTE, 40 * MINUTE);
        for (SimMachine machine : owner.machines()) {
            if (activities.percent(60)) {
                fleet.setOwnerActivity(machine, foreignActivity);
                scheduler.after(length, () -> fleet.setOwnerActivity(machine, null));
            }
        }
    }

    /** Sets an intent with another target on a machine of the owner, or on its cluster. */
    private void overruleIntent(SimMachineOwner owner) {
        UpgradeTarget other = RandomUpgradeTargets.randomTarget(chance, owner);
        fleet.setIntent(owner, RandomUpgradeTargets.randomTarget(chance, owner));
        if (chance.percent(50) && !owner.machines().isEmpty()) {
            fleet.setIntent(chance.pick(owner.machines()), other);
        } else {
            fleet.setIntent(owner.cluster(), other);
        }
    }

    /** Sets another target during the upgrade, and adds or removes a machine. */
    private void changeIntentTwice(SimMachineOwner owner, long length) {
        fleet.setIntent(owner, RandomUpgradeTargets.randomTarget(chance, owner));
        UpgradeTarget second = RandomUpgradeTargets.randomTarget(chance, owner);
        scheduler.after(length, () -> fleet.setIntent(owner, second));
        if (chance.percent(50)) {
            scheduler.after(length / 2, () -> grow(owner));
        } else {
            scheduler.after(length / 2, () -> shrink(owner, length));
        }
    }

    private void grow(SimMachineOwner owner) {
        joined++;
        MachineRole role =
                owner.key().kind() == OwnerKind.CONTROL_PLANE ? MachineRole.CONTROL_PLANE : MachineRole.WORKER;
        String name = owner.cluster().key().name() + "-j" + joined;
        SimNode node = newNode.apply(owner.key().site() + "-" + name);
        SimMachine machine = fleet.addMachine(owner, name, role, Labels.NONE, node);
        if (activities.percent(70)) {
            fleet.setJoining(machine, true);
            scheduler.after(activities.between(MINUTE / 2, 15 * MINUTE), () -> fleet.setJoining(machine, false));
        }
    }

    private void shrink(SimMachineOwner owner, long length) {
        List<SimMachine> machines = owner.machines();
        if (machines.size() > 1) {
            delete(machines.get(machines.size() - 1), length);
        }
    }

    private void delete(SimMachineOwner owner, long length) {
        if (owner.key().kind() != OwnerKind.CONTROL_PLANE) {
            owner.machines().forEach(machine -> delete(machine, length));
            fleet.remove(owner);
        }
    }

    private void delete(SimMachine machine, long length) {
        fleet.delete(machine);
        scheduler.after(length, () -> {
            if (fleet.machine(machine.key()) == machine) {
                fleet.remove(machine);
            }
        });
    }
}
