package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.FailureCohortRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which kinds of machines fail more than their campaign bears. What has ended is counted by all that it is told by at once. Of
 * the kinds that the rule closes the one that fails most is guilty; its machines are no evidence against any other, and what
 * is left is judged again. So one bad disk does not close its site, nor everybody with the same processor.
 */
final class Cohorts {
    private static final List<String> ALWAYS = List.of("site", "architecture", "revision");
    private static final int HUNDRED = 100;
    private static final String UNKNOWN = "";

    /** How machines of a kind have fared. */
    record Fared(int failed, int ended) {
        static final Fared NONE = new Fared(0, 0);

        Fared plus(Fared other) {
            return new Fared(failed + other.failed, ended + other.ended);
        }
    }

    private final FailureCohortRule rule;
    private final MachineTable table;
    private final List<String> told;
    private final Map<List<String>, Fared> kinds = new LinkedHashMap<>();
    private final KeyedCounts now = new KeyedCounts();
    private List<Cohort> closed = List.of();
    private int failed;
    private boolean changed;

    Cohorts(FailureCohortRule rule, MachineTable table) {
        this.rule = rule;
        this.table = table;
        this.told = new ArrayList<>(ALWAYS);
        told.addAll(rule.labels());
    }

    /** Begins to count a cluster. */
    void begin() {
        now.clear();
    }

    /** Counts a machine of the cluster that has failed, or succeeded by a call. */
    void tally(Share share, Machine machine, Standing standing) {
        if (machine.isPresent() && (standing.failed() || standing == Standing.SUCCEEDED)) {
            long key = (long) table.labelSet(machine.row) << Integer.SIZE | table.architectureNumber(machine.row);
            now.add(key, share.rollout.firstRevision(machine), standing.failed() ? 1 : 0, 1);
        }
    }

    /** The cluster is counted. */
    void replace(Share share) {
        if (now.since(
                share.kinds,
                (key, from, came, failures, ended) ->
                        add(kind(share.cluster, key, from), new Fared(failures, ended)))) {
            changed = true;
            share.kinds = share.kinds == null ? new KeyedCounts() : share.kinds;
            share.kinds.become(now);
        }
    }

    private List<String> kind(Cluster cluster, long key, int from) {
        List<String> kind = new ArrayList<>(told.size());
        for (String by : told) {
            kind.add(
                    switch (by) {
                        case "site" -> cluster.key().site().name();
                        case "architecture" -> known(table.text((int) key));
                        case "revision" -> known(table.statuses.revision(from));
                        default ->
                            known(table.labelsOf((int) (key >>> Integer.SIZE)).get(by));
                    });
        }
        return kind;
    }

    private void add(List<String> kind, Fared fared) {
        Fared sum = kinds.getOrDefault(kind, Fared.NONE).plus(fared);
        failed += fared.failed();
        if (sum.ended() == 0) {
            kinds.remove(kind);
        } else {
            kinds.put(kind, sum);
        }
    }

    /** Judges again; says whether others are closed than before. */
    boolean follow() {
        if (!changed) {
            return false;
        }
        changed = false;
        List<Cohort> next = failed < rule.failures() ? List.of() : guilty();
        boolean news = next.size() != closed.size();
        for (int i = 0; i < next.size() && !news; i++) {
            news = !next.get(i).isAlike(closed.get(i));
        }
        closed = next;
        return news;
    }

    /** The closed kind that a machine is of; null for none. */
    @Nullable
    Cohort closing(Machine machine) {
        for (int i = 0; i < closed.size(); i++) {
            if (closed.get(i).value().equals(value(machine, closed.get(i).by()))) {
                return closed.get(i);
            }
        }
        return null;
    }

    private List<Cohort> guilty() {
        List<Cohort> found = new ArrayList<>();
        Map<List<String>, Fared> left = new LinkedHashMap<>(kinds);
        Cohort worst = worst(left);
        while (worst != null) {
            found.add(worst);
            int place = told.indexOf(worst.by());
            String value = worst.value();
            left.keySet().removeIf(kind -> kind.get(place).equals(value));
            worst = worst(left);
        }
        return found;
    }

    private @Nullable Cohort worst(Map<List<String>, Fared> among) {
        Cohort worst = null;
        for (int place = 0; place < told.size(); place++) {
            int at = place;
            SortedMap<String, Fared> byValue = new TreeMap<>();
            among.forEach((kind, fared) -> byValue.merge(kind.get(at), fared, Fared::plus));
            for (Map.Entry<String, Fared> one : byValue.entrySet()) {
                Fared fared = one.getValue();
                Cohort cohort = new Cohort(told.get(place), one.getKey(), fared.failed(), fared.ended());
                if (!one.getKey().equals(UNKNOWN)
                        && fared.failed() >= rule.failures()
                        && (long) fared.failed() * HUNDRED >= (long) fared.ended() * rule.percent()
                        && (worst == null || cohort.isWorseThan(worst))) {
                    worst = cohort;
                }
            }
        }
        return worst;
    }

    private static String value(Machine machine, String by) {
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
