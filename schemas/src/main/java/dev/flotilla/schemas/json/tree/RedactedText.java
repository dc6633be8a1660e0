package dev.flotilla.schemas.json.tree;

import java.util.Locale;
import java.util.regex.Pattern;

/** A value as it may be shown to people: cut short, on one line, and never a secret. */
public final class RedactedText {
    /** Longer values are cut: enough to recognise one's own typing. */
    public static final int MAX_VALUE = 80;

    private static final String MASK = "***";
    private static final Pattern SECRET =
            Pattern.compile("token|passw|secret|kubeconfig|credential|private-?_?key|authorization");

    private RedactedText() {}

    /** Whether what bears this name must not be shown, whatever it is. */
    public static boolean isSecret(String name) {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    /** A value below a name. */
    public static String redact(String path, JsonValue value) {
        if (isSecret(path)) {
            return MASK;
        }
        StringBuilder out = new StringBuilder();
        append(out, value);
        return truncate(escape(out.toString()), MAX_VALUE);
    }

    public static String redact(String text) {
        return redact(text, MAX_VALUE);
    }

    /** A text that may be longer than a value. */
    public static String redact(String text, int max) {
        return truncate(escape(text), max);
    }

    private static void append(StringBuilder out, JsonValue value) {
        if (out.length() > MAX_VALUE) {
            return;
        }
        switch (value) {
            case JsonValue.JsonString jsonString ->
                out.append(jsonString.value(), 0, Math.min(jsonString.value().length(), MAX_VALUE + 1));
            case JsonValue.JsonInteger jsonInteger -> out.append(jsonInteger.value());
            case JsonValue.JsonDecimal jsonDecimal -> out.append(jsonDecimal.text());
            case JsonValue.JsonBoolean jsonBoolean -> out.append(jsonBoolean.value());
            case JsonValue.JsonNull jsonNull -> out.append("null");
            case JsonValue.JsonArray jsonArray -> {
                out.append('[');
                for (int i = 0; i < jsonArray.items().size() && out.length() <= MAX_VALUE; i++) {
                    out.append(i == 0 ? "" : ", ");
                    append(out, jsonArray.items().get(i));
                }
                out.append(']');
            }
            case JsonObjectReader jsonObjectReader -> {
                out.append('{');
                for (int i = 0; i < jsonObjectReader.size() && out.length() <= MAX_VALUE; i++) {
                    out.append(i == 0 ? "" : ", ")
                            .append(jsonObjectReader.name(i))
                            .append(": ");
                    if (isSecret(jsonObjectReader.name(i))) {
                        out.append(MASK);
                    } else {
                        append(out, jsonObjectReader.value(i));
                    }
                }
                out.append('}');
            }
        }
    }

    /** The text with its control characters, and what else would garble a terminal, spelt out. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                out.append(c).append(text.charAt(++i));
            } else if (Character.isISOControl(c)
                    || Character.isSurrogate(c)
                    || Character.getType(c) == Character.FORMAT) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** The text cut to a length, not through the middle of a character. */
    static String truncate(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 2)) ? max - 2 : max - 1;
        return text.substring(0, end) + "…";
    }
}
