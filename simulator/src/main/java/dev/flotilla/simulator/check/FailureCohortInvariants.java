package dev.flotilla.simulator.check;

import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Failure cohorts: recounted from every machine that has ended. The worst cohort is closed first, and its machines are
 * removed before the next one is found. Head rows do not say which cohorts have failed in an unread site, so those do
 * not count.
 */
final class FailureCohortInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    FailureCohortInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    /** A property by which machines are grouped, and its value. */
    private record Trait(String by, String value) {}

    /** A machine that has failed, or succeeded after a call. */
    private record EndedMachine(boolean failed, Set<Trait> traits) {}

    /** Checks a start: the machine belongs to no closed cohort, or it has failed itself and is retried. */
    void check(MachineStatus started, MachineRow machine, RolloutRef rolloutRef, CampaignStatus campaign) {
        FailureCohortRule rule = campaign.acceptedCampaign().spec().cohortCircuitBreaker();
        RolloutEntry entry = ReferenceFleetState.entry(started, rolloutRef);
        if (rule == null || entry == null) {
            return;
        }
        violationLog.require(
                Objects.equals(entry.fromRevision(), machine.revision()),
                Invariant.COHORT,
                machine.key() + " starts from revision " + machine.revision() + ", but its row says "
                        + entry.fromRevision());
        if (entry.failedAttempts() > 0) {
            return;
        }
        Set<Trait> own = traits(machine, machine.revision(), rule);
        List<EndedMachine> left = endedMachines(rolloutRef, rule);
        Trait guilty = worstTrait(left, rule);
        while (guilty != null) {
            Trait closed = guilty;
            violationLog.require(
                    !own.contains(closed),
                    Invariant.COHORT,
                    machine.key() + " started, and campaign " + campaign.name() + " has closed " + closed.by() + " "
                            + closed.value());
            left.removeIf(ended -> ended.traits().contains(closed));
            guilty = worstTrait(left, rule);
        }
    }

    private List<EndedMachine> endedMachines(RolloutRef rolloutRef, FailureCohortRule rule) {
        List<EndedMachine> ended = new ArrayList<>();
        for (MachineStatus status : rows.statuses()) {
            RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
            MachineRow machine = rows.machine(status.key());
            if (entry == null
                    || machine == null
                    || rows.isSiteUnread(status.key().site())) {
                continue;
            }
            boolean isInFlight = ReferenceFleetState.inFlight(status, rolloutRef);
            boolean failed = !entry.outcome().isAtTarget()
                    && (entry.failedAttempts() > 0 || entry.outcome() == MachineOutcome.QUARANTINED)
                    && (isInFlight || (entry.outcome() != MachineOutcome.SKIPPED && !machine.optOut()));
            boolean succeeded = entry.outcome() == MachineOutcome.SUCCEEDED && !isInFlight;
            if (failed || succeeded) {
                ended.add(new EndedMachine(failed, traits(machine, entry.fromRevision(), rule)));
            }
        }
        return ended;
    }

    private static Set<Trait> traits(MachineRow machine, @Nullable String revision, FailureCohortRule rule) {
        Set<Trait> traits = new LinkedHashSet<>();
        traits.add(new Trait("site", machine.key().site().name()));
        traits.add(new Trait("architecture", machine.architecture()));
        traits.add(new Trait("revision", revision == null ? "" : revision));
        for (String label : rule.labels()) {
            String value = machine.labels().get(label);
            traits.add(new Trait(label, value == null ? "" : value));
        }
        traits.removeIf(trait -> trait.value().isEmpty());
        return traits;
    }

    /** The trait with the greatest share of failures among all that the rule closes; null if none. */
    private static @Nullable Trait worstTrait(List<EndedMachine> among, FailureCohortRule rule) {
        List<String> order = new ArrayList<>(List.of("site", "architecture", "revision"));
        order.addAll(rule.labels());
        Set<Trait> all = new LinkedHashSet<>();
        among.forEach(machine -> all.addAll(machine.traits()));
        List<Trait> sorted = new ArrayList<>(all);
        sorted.sort((a, b) -> a.by().equals(b.by())
                ? a.value().compareTo(b.value())
                : Integer.compare(order.indexOf(a.by()), order.indexOf(b.by())));
        Trait guilty = null;
        int mostFailed = 0;
        int itsEnded = 1;
        for (Trait trait : sorted) {
            int failed = 0;
            int ended = 0;
            for (EndedMachine machine : among) {
                ended += machine.traits().contains(trait) ? 1 : 0;
                failed += machine.failed() && machine.traits().contains(trait) ? 1 : 0;
            }
            boolean worse = guilty == null
                    || failed * itsEnded > mostFailed * ended
                    || (failed * itsEnded == mostFailed * ended && failed > mostFailed);
            if (failed >= rule.failures() && failed * 100 >= ended * rule.percent() && worse) {
                guilty = trait;
                mostFailed = failed;
                itsEnded = ended;
            }
        }
        return guilty;
    }
}
