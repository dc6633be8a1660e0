package dev.flotilla.schemas.row;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Placeholders for the machine's names in a check, such as {@code ${node}}. Names of objects need no escaping. */
public final class CheckPlaceholders {
    public static final List<String> NAMES = List.of("site", "namespace", "cluster", "machine", "node");

    private static final Pattern FORM = Pattern.compile("\\$\\{([^}]*)}?");

    private CheckPlaceholders() {}

    /** Returns the problem of a text's placeholders, or null. */
    public static @Nullable String problemOf(String text) {
        Matcher found = FORM.matcher(text);
        while (found.find()) {
            if (!NAMES.contains(found.group(1)) || !found.group().endsWith("}")) {
                return "has the unknown placeholder \"" + found.group() + "\"; known are ${"
                        + String.join("}, ${", NAMES) + "}";
            }
        }
        return null;
    }

    /** Returns a text with its placeholders replaced by names. */
    public static String fill(String text, UnaryOperator<String> name) {
        return FORM.matcher(text).replaceAll(found -> Matcher.quoteReplacement(name.apply(found.group(1))));
    }
}
