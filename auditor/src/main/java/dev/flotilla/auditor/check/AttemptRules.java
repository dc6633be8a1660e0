package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Attempt;
import dev.flotilla.auditor.wire.Command;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Place;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How an attempt begins and goes on in the journal: its number, its command, its cancelling. {@link EndRules} ends it. */
final class AttemptRules {
    /** No command lasts longer than this from its decision. */
    private static final long LONGEST_COMMAND = 15 * 60_000L;

    private final Fleet fleet;
    private final Findings findings;
    private final Attempts attempts;
    private final EndRules ends;
    private final CapRules caps;
    private final ClusterRules clusters;
    private final GateRules gates;
    private final WindowRules windows;
    private final CohortRules cohorts;
    private final VersionRules versions;

    AttemptRules(Fleet fleet, Findings findings, Attempts attempts, EndRules ends, OrderRules orders) {
        this.fleet = fleet;
        this.findings = findings;
        this.attempts = attempts;
        this.ends = ends;
        this.caps = new CapRules(fleet, findings);
        this.clusters = new ClusterRules(fleet, findings);
        this.gates = new GateRules(fleet, findings, orders);
        this.windows = new WindowRules(fleet, findings);
        this.cohorts = new CohortRules(fleet, findings);
        this.versions = new VersionRules(fleet, findings);
    }

    /** Looks at all that a decision says of machines, on the rows before it. */
    void check(JournalRecord decision, long append) {
        boolean admitted = false;
        for (Fact fact : decision.facts()) {
            Place place = fact.place();
            if (place.topic().is("status") && place.isMachine()) {
                MachineStatus after = fact.row() instanceof MachineStatus status ? status : null;
                admitted |= status(decision, append, place, after);
            }
        }
        findings.require(
                admitted == decision.event().equals("attempt-admitted"),
                Invariant.JOURNAL,
                "decision " + decision.seq() + " (" + decision.event() + ")"
                        + (admitted ? " starts an attempt" : " starts none"));
        for (Fact fact : decision.facts()) {
            if (fact.row() instanceof Command command) {
                command(decision, append, command);
            }
        }
    }

    private boolean status(JournalRecord decision, long append, Place place, @Nullable MachineStatus after) {
        MachineStatus before = fleet.status(place.object());
        Attempt was = before == null ? null : before.attempt();
        Attempt is = after == null ? null : after.attempt();
        if (before != null && was != null && (is == null || is.number() != was.number())) {
            ends.ended(decision, append, before, was, after);
        }
        if (after != null) {
            clusters.settles(after, decision.time());
        }
        if (after == null || is == null) {
            return false;
        }
        if (was != null && was.number() == is.number()) {
            goesOn(decision, after, was, is);
            return false;
        }
        findings.require(
                is.number() == decision.seq(),
                Invariant.JOURNAL,
                after.id() + " has attempt " + is.number() + ", which decision " + decision.seq() + " never admitted");
        findings.require(
                was == null,
                Invariant.NOTHING_LOST,
                after.id() + " starts attempt " + is.number() + " while another is open");
        starts(decision, before, after, is);
        return true;
    }

    private void starts(JournalRecord decision, @Nullable MachineStatus before, MachineStatus after, Attempt attempt) {
        AttemptBook book = new AttemptBook(attempt.number(), after.id(), after.uid());
        attempts.open(book);
        MachineRow machine = fleet.machine(after.id());
        findings.require(machine != null, Invariant.GATES, after.id() + " started: a machine without an inventory row");
        if (machine != null) {
            Start start = new Start(machine, after, attempt, before, fleet.campaign(attempt.driver()), decision.time());
            admitted(machine, attempt);
            caps.check(start);
            clusters.check(start);
            gates.check(start);
            cohorts.check(start);
            versions.check(start);
            windows.check(start, commandOf(decision, after.id()) instanceof Command.Upgrade upgrade ? upgrade : null);
        }
        findings.require(
                commandOf(decision, after.id()) instanceof Command.Upgrade upgrade
                        && upgrade.attempt() == attempt.number()
                        && upgrade.uid().equals(after.uid())
                        && upgrade.target().equals(attempt.target()),
                Invariant.JOURNAL,
                after.id() + " starts attempt " + attempt.number() + " without its command");
    }

    private void admitted(MachineRow machine, Attempt attempt) {
        Attempt.Admitted noted = attempt.machine();
        findings.require(
                noted == null
                        || (machine.cluster().endsWith("/" + noted.cluster())
                                && machine.controlPlane() == noted.controlPlane()),
                Invariant.CLUSTER,
                machine.id() + " started in cluster " + machine.cluster() + ", and its attempt says " + noted);
    }

    private void goesOn(JournalRecord decision, MachineStatus after, Attempt was, Attempt is) {
        findings.require(
                is.driver().equals(was.driver()) && is.target().equals(was.target()),
                Invariant.JOURNAL,
                after.id() + " attempt " + is.number() + " changes what drives it, or its target");
        findings.require(
                Objects.equals(is.machine(), was.machine()),
                Invariant.JOURNAL,
                after.id() + " attempt " + is.number() + " changes the cluster or role that it was admitted in");
        findings.require(
                is.cancelled() || !was.cancelled(),
                Invariant.STOP,
                after.id() + " attempt " + is.number() + " may call again after it was cancelled");
        if (is.cancelled() && !was.cancelled()) {
            findings.require(
                    commandOf(decision, after.id()) instanceof Command.Cancel cancel && cancel.attempt() == is.number(),
                    Invariant.STOP,
                    after.id() + " attempt " + is.number() + " is cancelled and its worker is not told");
        }
        if (decision.event().equals("attempt-stepped")) {
            ends.stepped(decision, after, is);
        }
        if (decision.event().equals("attempt-renewed")) {
            findings.require(
                    !is.cancelled() && !is.mayHaveCalled() && !fleet.frozen(after.site()),
                    Invariant.STOP,
                    after.id() + " attempt " + is.number() + " is renewed while it is stopped");
        }
    }

    private void command(JournalRecord decision, long append, Command command) {
        AttemptBook book = attempts.find(command.attempt());
        if (book == null) {
            if (attempts.isForgotten(command.attempt())) {
                findings.unverified("commands of attempts from before the base");
            } else {
                findings.broken(
                        Invariant.ZOMBIE,
                        command.id() + " is told about attempt " + command.attempt() + ", which nobody admitted");
            }
            return;
        }
        findings.require(
                book.machine.equals(command.id()),
                Invariant.ZOMBIE,
                command.id() + " is told about attempt " + book.number + " of " + book.machine);
        if (command instanceof Command.Upgrade upgrade) {
            findings.require(
                    upgrade.notAfter() - decision.time() <= LONGEST_COMMAND,
                    Invariant.STOP,
                    book + " may be called for " + (upgrade.notAfter() - decision.time()) / 1000
                            + " s, longer than any command lasts");
            book.command(upgrade);
        } else {
            book.withdraw(append);
        }
    }

    private static @Nullable Command commandOf(JournalRecord decision, String machine) {
        Command found = null;
        for (Fact fact : decision.facts()) {
            if (fact.row() instanceof Command command && command.id().equals(machine)) {
                found = command;
            }
        }
        return found;
    }
}
