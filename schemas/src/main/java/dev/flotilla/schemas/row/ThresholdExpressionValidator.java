package dev.flotilla.schemas.row;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rule for a comparison with a number, such as {@code <= 0.01}. */
public final class ThresholdExpressionValidator {
    private static final Pattern FORM = Pattern.compile("(<=|>=|==|!=|<|>) (-?[0-9]{1,18}(?:\\.[0-9]{1,18})?)");
    public static final int MAX_LENGTH = 48;

    private ThresholdExpressionValidator() {}

    /** Returns the problem of a comparison, or null. */
    public static @Nullable String problemOf(String text) {
        return FORM.matcher(text).matches()
                ? null
                : "must be <, <=, ==, !=, >= or >, a space and a number, such as \"<= 0.01\"";
    }
}
