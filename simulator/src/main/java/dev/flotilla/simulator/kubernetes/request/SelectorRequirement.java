package dev.flotilla.simulator.kubernetes.request;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One requirement of a label or field selector.
 *
 * @param values the accepted values; empty if any value is accepted
 * @param negated whether the values are excluded instead
 */
record SelectorRequirement(String key, List<String> values, boolean negated) {
    private static final String KEY = "\\s*([A-Za-z0-9][A-Za-z0-9_./-]*)\\s*";
    private static final Pattern COMMAS = Pattern.compile(",(?![^(]*\\))");
    private static final Pattern EQUAL = Pattern.compile(KEY + "(==|=|!=)\\s*([^\\s=!,]*)\\s*");
    private static final Pattern SET = Pattern.compile(KEY + "\\s(in|notin)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern THERE = Pattern.compile("\\s*(!?)" + KEY);

    static SelectorRequirement equal(String key, String value) {
        return new SelectorRequirement(key, List.of(value), false);
    }

    /** Parses all requirements of a selector; null if it is invalid. */
    static @Nullable List<SelectorRequirement> parseSelector(String selector) {
        List<SelectorRequirement> all = new ArrayList<>();
        if (selector.isBlank()) {
            return all;
        }
        for (String part : COMMAS.split(selector, -1)) {
            SelectorRequirement one = parseRequirement(part);
            if (one == null) {
                return null;
            }
            all.add(one);
        }
        return all;
    }

    private static @Nullable SelectorRequirement parseRequirement(String part) {
        Matcher equal = EQUAL.matcher(part);
        if (equal.matches()) {
            return new SelectorRequirement(
                    equal.group(1), List.of(equal.group(3)), equal.group(2).equals("!="));
        }
        Matcher set = SET.matcher(part);
        if (set.matches()) {
            List<String> values = new ArrayList<>();
            for (String value : set.group(3).split(",", -1)) {
                values.add(value.strip());
            }
            return new SelectorRequirement(set.group(1), values, set.group(2).equals("notin"));
        }
        Matcher there = THERE.matcher(part);
        return there.matches()
                ? new SelectorRequirement(
                        there.group(2), List.of(), there.group(1).equals("!"))
                : null;
    }

    /** Whether a value meets the requirement; null is a missing value, which is in no list. */
    boolean matches(@Nullable String value) {
        boolean isListed = value != null && (values.isEmpty() || values.contains(value));
        return isListed != negated;
    }
}
