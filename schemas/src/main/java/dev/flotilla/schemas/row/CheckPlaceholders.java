package dev.flotilla.schemas.row;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What stands for the machine in a check, such as {@code ${node}}. Names of objects need no escape where they stand. */
public final class CheckPlaceholders {
    public static final List<String> NAMES = List.of("site", "namespace", "cluster", "machine", "node");

    private static final Pattern FORM = Pattern.compile("\\$\\{([^}]*)}?");

    private CheckPlaceholders() {}

    /** What is wrong with those in a text, or null. */
    public static @Nullable String problemOf(String text) {
        Matcher found = FORM.matcher(text);
        while (found.find()) {
            if (!NAMES.contains(found.group(1)) || !found.group().endsWith("}")) {
                return "has \"" + found.group() + "\": there are ${" + String.join("}, ${", NAMES) + "}";
            }
        }
        return null;
    }

    /** A text with the names in their places. */
    public static String fill(String text, UnaryOperator<String> name) {
        return FORM.matcher(text).replaceAll(found -> Matcher.quoteReplacement(name.apply(found.group(1))));
    }
}
