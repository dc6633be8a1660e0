package dev.flotilla.core.fleet.limits;

import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FailureCohortRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Detects cohorts that fail more than their campaign allows. Outcomes are counted by all properties at once. Of the
 * cohorts that the rule would close, the worst is closed; its machines are then no evidence against others, and the
 * rest is judged again. So one bad disk does not close its site, nor all machines with the same processor.
 */
public final class FailureCohortDetector {
    private static final List<String> ALWAYS = List.of("site", "architecture", "revision");
    private static final int HUNDRED = 100;
    private static final String UNKNOWN = "";

    /** The outcomes of a cohort. */
    record CohortOutcomes(int failed, int ended) {
        static final CohortOutcomes NONE = new CohortOutcomes(0, 0);

        CohortOutcomes plus(CohortOutcomes other) {
            return new CohortOutcomes(failed + other.failed, ended + other.ended);
        }
    }

    private final FailureCohortRule rule;
    private final MachineTable table;
    private final List<String> dimensions;
    private final Map<List<String>, CohortOutcomes> outcomesByProperties = new LinkedHashMap<>();
    private final KeyedCountPairs now = new KeyedCountPairs();
    private List<FailureCohort> closed = List.of();
    private int failed;
    private boolean changed;

    public FailureCohortDetector(FailureCohortRule rule, MachineTable table) {
        this.rule = rule;
        this.table = table;
        this.dimensions = new ArrayList<>(ALWAYS);
        dimensions.addAll(rule.labels());
    }

    /** Starts counting a cluster. */
    public void begin() {
        now.clear();
    }

    /** Counts a machine that is evidence. */
    public void tally(int firstRevision, MachineView machine, MachineProgressState machineProgressState) {
        long key = (long) table.labelSet(machine.row()) << Integer.SIZE | table.architectureNumber(machine.row());
        now.add(key, firstRevision, machineProgressState.countsAsFailed() ? 1 : 0, 1);
    }

    /** Whether a machine is evidence: it failed, or succeeded by a call. */
    public static boolean isEvidence(MachineView machine, MachineProgressState state) {
        return machine.isPresent() && (state.countsAsFailed() || state == MachineProgressState.SUCCEEDED);
    }

    /** Finishes counting a cluster: replaces its former counts and returns the new ones; null for none. */
    public @Nullable KeyedCountPairs replace(SiteId site, @Nullable KeyedCountPairs before) {
        if (!now.since(
                before,
                (key, from, came, failures, ended) ->
                        add(propertiesOf(site, key, from), new CohortOutcomes(failures, ended)))) {
            return before;
        }
        changed = true;
        return now.copyTo(before);
    }

    private List<String> propertiesOf(SiteId site, long key, int from) {
        List<String> properties = new ArrayList<>(dimensions.size());
        for (String by : dimensions) {
            properties.add(
                    switch (by) {
                        case "site" -> site.name();
                        case "architecture" -> known(table.text((int) key));
                        case "revision" -> known(table.statuses().revision(from));
                        default ->
                            known(table.labelsOf((int) (key >>> Integer.SIZE)).get(by));
                    });
        }
        return properties;
    }

    private void add(List<String> properties, CohortOutcomes outcomes) {
        CohortOutcomes sum = outcomesByProperties
                .getOrDefault(properties, CohortOutcomes.NONE)
                .plus(outcomes);
        failed += outcomes.failed();
        if (sum.ended() == 0) {
            outcomesByProperties.remove(properties);
        } else {
            outcomesByProperties.put(properties, sum);
        }
    }

    /** Judges all cohorts again; returns whether the closed ones have changed. */
    public boolean updateClosedCohorts() {
        if (!changed) {
            return false;
        }
        changed = false;
        List<FailureCohort> next = failed < rule.failures() ? List.of() : findClosedCohorts();
        boolean hasChanged = next.size() != closed.size();
        for (int i = 0; i < next.size() && !hasChanged; i++) {
            hasChanged = !next.get(i).isSameAs(closed.get(i));
        }
        closed = next;
        return hasChanged;
    }

    /** The closed cohort of a machine; null for none. */
    public @Nullable FailureCohort closedCohortOf(MachineView machine) {
        for (int i = 0; i < closed.size(); i++) {
            if (closed.get(i).value().equals(value(machine, closed.get(i).dimension()))) {
                return closed.get(i);
            }
        }
        return null;
    }

    private List<FailureCohort> findClosedCohorts() {
        List<FailureCohort> found = new ArrayList<>();
        Map<List<String>, CohortOutcomes> left = new LinkedHashMap<>(outcomesByProperties);
        FailureCohort worst = worst(left);
        while (worst != null) {
            found.add(worst);
            int place = dimensions.indexOf(worst.dimension());
            String value = worst.value();
            left.keySet().removeIf(properties -> properties.get(place).equals(value));
            worst = worst(left);
        }
        return found;
    }

    private @Nullable FailureCohort worst(Map<List<String>, CohortOutcomes> among) {
        FailureCohort worst = null;
        for (int place = 0; place < dimensions.size(); place++) {
            int at = place;
            SortedMap<String, CohortOutcomes> byValue = new TreeMap<>();
            among.forEach((properties, outcomes) -> byValue.merge(properties.get(at), outcomes, CohortOutcomes::plus));
            for (Map.Entry<String, CohortOutcomes> one : byValue.entrySet()) {
                CohortOutcomes outcomes = one.getValue();
                FailureCohort cohort =
                        new FailureCohort(dimensions.get(place), one.getKey(), outcomes.failed(), outcomes.ended());
                if (!one.getKey().equals(UNKNOWN)
                        && outcomes.failed() >= rule.failures()
                        && (long) outcomes.failed() * HUNDRED >= (long) outcomes.ended() * rule.percent()
                        && (worst == null || cohort.isWorseThan(worst))) {
                    worst = cohort;
                }
            }
        }
        return worst;
    }

    private static String value(MachineView machine, String by) {
        return switch (by) {
            case "site" -> machine.site().name();
            case "architecture" -> known(machine.architecture());
            case "revision" -> known(machine.revision());
            default -> known(machine.labels().get(by));
        };
    }

    private static String known(@Nullable String value) {
        return value == null ? UNKNOWN : value;
    }
}
