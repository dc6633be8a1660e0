package dev.flotilla.simulator.check;

import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CohortRule;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of machines whose failures go together: found from every machine that has ended, one guilty kind after the other.
 * Head rows do not say which kinds have failed in a site that a leader cannot read, so those do not count.
 */
final class CohortRules {
    private final Recount rows;
    private final Verdicts verdicts;

    CohortRules(Recount rows, Verdicts verdicts) {
        this.rows = rows;
        this.verdicts = verdicts;
    }

    /** Something by which machines are told apart, and its value. */
    private record Trait(String by, String value) {}

    /** One that has failed or succeeded by a call. */
    private record Ended(boolean failed, Set<Trait> traits) {}

    /** A machine starts: it is of no kind that is closed, or it has failed itself and is tried again. */
    void check(MachineStatus started, MachineRow machine, Driver driver, CampaignStatus campaign) {
        CohortRule rule = campaign.accepted().spec().terms().cohorts();
        Entry entry = Recount.entry(started, driver);
        if (rule == null || entry == null) {
            return;
        }
        verdicts.require(
                Objects.equals(entry.from(), machine.revision()),
                Invariant.COHORT,
                machine.key() + " starts from revision " + machine.revision() + ", its row says " + entry.from());
        if (entry.failedAttempts() > 0) {
            return;
        }
        Set<Trait> own = traits(machine, machine.revision(), rule);
        List<Ended> left = ended(driver, rule);
        Trait guilty = guilty(left, rule);
        while (guilty != null) {
            Trait closed = guilty;
            verdicts.require(
                    !own.contains(closed),
                    Invariant.COHORT,
                    machine.key() + " started, and campaign " + campaign.name() + " has closed " + closed.by() + " "
                            + closed.value());
            left.removeIf(one -> one.traits().contains(closed));
            guilty = guilty(left, rule);
        }
    }

    private List<Ended> ended(Driver driver, CohortRule rule) {
        List<Ended> ended = new ArrayList<>();
        for (MachineStatus status : rows.statuses()) {
            Entry entry = Recount.entry(status, driver);
            MachineRow machine = rows.machine(status.key());
            if (entry == null || machine == null || rows.isUnread(status.key().site())) {
                continue;
            }
            boolean flies = Recount.inFlight(status, driver);
            boolean failed = !entry.outcome().atTarget()
                    && (entry.failedAttempts() > 0 || entry.outcome() == Outcome.QUARANTINED)
                    && (flies || (entry.outcome() != Outcome.SKIPPED && !machine.optOut()));
            boolean succeeded = entry.outcome() == Outcome.SUCCEEDED && !flies;
            if (failed || succeeded) {
                ended.add(new Ended(failed, traits(machine, entry.from(), rule)));
            }
        }
        return ended;
    }

    private static Set<Trait> traits(MachineRow machine, @Nullable String revision, CohortRule rule) {
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

    /** Of all traits that the rule closes the one with the greatest share of failures. */
    private static @Nullable Trait guilty(List<Ended> among, CohortRule rule) {
        List<String> order = new ArrayList<>(List.of("site", "architecture", "revision"));
        order.addAll(rule.labels());
        Set<Trait> all = new LinkedHashSet<>();
        among.forEach(one -> all.addAll(one.traits()));
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
            for (Ended one : among) {
                ended += one.traits().contains(trait) ? 1 : 0;
                failed += one.failed() && one.traits().contains(trait) ? 1 : 0;
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
