package dev.flotilla.simulator.kubernetes.request;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One requirement of a selector of labels or fields.
 *
 * @param values one of which there must be; no value at all means that any will do
 * @param negated whether it must be none of them
 */
record Requirement(String key, List<String> values, boolean negated) {
    private static final String KEY = "\\s*([A-Za-z0-9][A-Za-z0-9_./-]*)\\s*";
    private static final Pattern COMMAS = Pattern.compile(",(?![^(]*\\))");
    private static final Pattern EQUAL = Pattern.compile(KEY + "(==|=|!=)\\s*([^\\s=!,]*)\\s*");
    private static final Pattern SET = Pattern.compile(KEY + "\\s(in|notin)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern THERE = Pattern.compile("\\s*(!?)" + KEY);

    static Requirement equal(String key, String value) {
        return new Requirement(key, List.of(value), false);
    }

    /** All requirements of a selector; null where it is none. */
    static @Nullable List<Requirement> all(String selector) {
        List<Requirement> all = new ArrayList<>();
        if (selector.isBlank()) {
            return all;
        }
        for (String part : COMMAS.split(selector, -1)) {
            Requirement one = one(part);
            if (one == null) {
                return null;
            }
            all.add(one);
        }
        return all;
    }

    private static @Nullable Requirement one(String part) {
        Matcher equal = EQUAL.matcher(part);
        if (equal.matches()) {
            return new Requirement(
                    equal.group(1), List.of(equal.group(3)), equal.group(2).equals("!="));
        }
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            List<String> values = new ArrayList<>();
            for (String value : set.group(3).split(",", -1)) {
                values.add(value.strip());
            }
            return new Requirement(set.group(1), values, set.group(2).equals("notin"));
        }
        Matcher there = THERE.matcher(part);
        return there.matches()
                ? new Requirement(there.group(2), List.of(), there.group(1).equals("!"))
                : null;
    }

    /** Whether a value does; null means that there is none, which is no value of any list. */
    boolean meets(@Nullable String value) {
        boolean does = value != null && (values.isEmpty() || values.contains(value));
        return does != negated;
    }
}
