package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.SimNode;
import org.jspecify.annotations.Nullable;

/** After the call: watches the change to its end and then the node until it proves where it is. Never calls. */
final class Watch {
    private static final long POLL = 8000;
    private static final long SLOW_POLL = 60_000;
    private static final long TARGET_PATIENCE = 75_000;
    private static final long READY_PATIENCE = 15 * 60_000;

    private final Drive drive;
    private final PartitionDriver driver;
    private @Nullable String changeId;
    private boolean changeOver;
    private boolean changeLost;
    private boolean saidVerifying;
    private boolean saidUnknown;
    private Report.Proof how = Report.Proof.UPGRADED;
    private long verifyingSince;

    Watch(Drive drive, PartitionDriver driver) {
        this.drive = drive;
        this.driver = driver;
    }

    /** Watches a change until snapd says that it is over. */
    void change(String id) {
        changeId = id;
        SimNode node = node();
        String status = node == null ? null : node.status(id);
        if (status == null) {
            drive.later(driver.process().hurried(POLL), () -> change(id));
            return;
        }
        switch (status) {
            case "Done" -> {
                if (driver.world().habits().asksForProof() || node == null) {
                    verify(id, true);
                } else {
                    drive.end(Proof.of(node, Report.Proof.UPGRADED));
                }
            }
            case "" -> {
                changeLost = true;
                verify(id, true);
            }
            case "Error", "Undone", "Hold" ->
                drive.end(new Report.Failed(
                        FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "change " + id + " is " + status));
            default -> drive.later(driver.process().hurried(POLL), () -> change(id));
        }
    }

    /** The node said that there was nothing to do: it has to show as much. */
    void verifyUnchanged() {
        how = Report.Proof.UNCHANGED;
        verify(null, true);
    }

    /**
     * Verifies, and never calls.
     *
     * @param id the change's id where it is known
     * @param over whether the call's outcome is known, so that a node that is not at its target has failed
     */
    void verify(@Nullable String id, boolean over) {
        changeId = id;
        changeOver = over;
        verifyingSince = driver.world().now();
        look();
    }

    private @Nullable SimNode node() {
        SimMachine machine = drive.machine();
        return machine == null || !machine.uid().equals(drive.command().uid()) ? null : machine.node();
    }

    private void look() {
        SimNode node = node();
        Command.UpgradeMachine command = drive.upgrade();
        if (node == null || !node.reachable() || node.busy()) {
            // Nothing can be told, and the clock of patience does not run.
            verifyingSince = driver.world().now();
            again();
        } else if (command != null && node.ready() && proves(node, command)) {
            drive.end(Proof.of(node, how));
        } else {
            long waited = driver.world().now() - verifyingSince;
            if (changeOver && !node.ready() && waited > READY_PATIENCE) {
                drive.end(new Report.Failed(
                        FailureClass.RETRYABLE, FailureReason.NODE_NOT_READY, "not Ready long after the change"));
            } else if (node.ready() && waited > TARGET_PATIENCE) {
                notThere(node, command);
            } else {
                again();
            }
        }
    }

    private boolean proves(SimNode node, Command.UpgradeMachine command) {
        return (changeOver && !changeLost) ? Proof.atTargetAfterChange(node, command) : Proof.atTarget(node, command);
    }

    private void notThere(SimNode node, Command.@Nullable UpgradeMachine command) {
        if (changeOver && command != null) {
            FailureReason reason = changeLost ? FailureReason.CHANGE_LOST : FailureReason.NOT_AT_TARGET;
            drive.end(new Report.Failed(
                    FailureClass.RETRYABLE,
                    reason,
                    "change " + changeId + " is over, the node shows " + node.revision()));
        } else if (!saidUnknown) {
            saidUnknown = true;
            drive.report(
                    new Report.OutcomeUnknown("a call may have been made, the node shows " + node.revision()),
                    this::again);
        } else {
            again();
        }
    }

    /** What the first look does not prove is said to take a while. */
    private void again() {
        if (!saidVerifying && !saidUnknown) {
            saidVerifying = true;
            drive.report(new Report.Stepped(Step.VERIFYING, changeId), this::again);
        } else {
            drive.later(saidUnknown ? SLOW_POLL : driver.process().hurried(POLL), this::look);
        }
    }
}
