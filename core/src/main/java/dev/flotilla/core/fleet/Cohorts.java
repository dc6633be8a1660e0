package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.CohortRule;
import dev.flotilla.schemas.row.Entry;
import java.util.ArrayList;
import java.util.Collections;
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

        Fared plus(Fared other, int sign) {
            return new Fared(failed + sign * other.failed, ended + sign * other.ended);
        }
    }

    private final CohortRule rule;
    private final List<String> told;
    private final Map<List<String>, Fared> kinds = new LinkedHashMap<>();
    private List<Cohort> closed = List.of();
    private int failed;
    private boolean changed;

    Cohorts(CohortRule rule) {
        this.rule = rule;
        this.told = new ArrayList<>(ALWAYS);
        told.addAll(rule.labels());
    }

    /** Counts a machine of a cluster that has failed, or succeeded by a call. */
    void tally(Share share, Machine machine, Standing standing) {
        if (!machine.isPresent() || !(standing.failed() || standing == Standing.SUCCEEDED)) {
            return;
        }
        Map<List<String>, Fared> mine = share.kinds == null ? new LinkedHashMap<>() : share.kinds;
        share.kinds = mine;
        Entry entry = share.rollout.entry(machine);
        List<String> kind = new ArrayList<>(told.size());
        for (String by : told) {
            kind.add(by.equals("revision") ? known(entry == null ? null : entry.from()) : value(machine, by));
        }
        mine.merge(kind, new Fared(standing.failed() ? 1 : 0, 1), (one, other) -> one.plus(other, 1));
    }

    /** A cluster's counts are others than before. */
    void replace(@Nullable Map<List<String>, Fared> before, @Nullable Map<List<String>, Fared> after) {
        Map<List<String>, Fared> old = before == null ? Collections.emptyMap() : before;
        Map<List<String>, Fared> now = after == null ? Collections.emptyMap() : after;
        if (!old.equals(now)) {
            old.forEach((kind, fared) -> add(kind, fared, -1));
            now.forEach((kind, fared) -> add(kind, fared, 1));
            changed = true;
        }
    }

    private void add(List<String> kind, Fared fared, int sign) {
        Fared sum = kinds.getOrDefault(kind, Fared.NONE).plus(fared, sign);
        failed += sign * fared.failed();
        if (sum.ended() == 0) {
            kinds.remove(kind);
        } else {
            kinds.put(kind, sum);
        }
    }

    void clear() {
        kinds.clear();
        failed = 0;
        changed = true;
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
            among.forEach((kind, fared) -> byValue.merge(kind.get(at), fared, (one, other) -> one.plus(other, 1)));
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
            case "site" -> machine.key().site().name();
            case "architecture" -> known(machine.architecture());
            case "revision" -> known(machine.revision());
            default -> known(machine.labels().get(by));
        };
    }

    private static String known(@Nullable String value) {
        return value == null ? UNKNOWN : value;
    }
}
