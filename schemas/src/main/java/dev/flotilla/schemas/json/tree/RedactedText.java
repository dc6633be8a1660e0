package dev.flotilla.schemas.json.tree;

import java.util.Locale;
import java.util.regex.Pattern;

/** Makes values safe to show: truncated, on one line, with secrets masked. */
public final class RedactedText {
    /** The maximum length of a value; longer values are truncated. */
    public static final int MAX_VALUE = 80;

    private static final String MASK = "***";
    private static final Pattern SECRET =
            Pattern.compile("token|passw|secret|kubeconfig|credential|private-?_?key|authorization");
    /** A path from the root or from a directory, or a file with an extension. Tokens and keys look different. */
    private static final Pattern FILE_PATH = Pattern.compile("(~|\\.{0,2})/\\S*|\\S*\\.[A-Za-z]{1,10}");

    private RedactedText() {}

    /** Whether the value of a name may be a secret and must be masked. */
    public static boolean isSecret(String name) {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    /** Returns the text of a value at a path. */
    public static String redact(String path, JsonValue value) {
        if (mustMask(path, value)) {
            return MASK;
        }
        StringBuilder out = new StringBuilder();
        append(out, value);
        return truncate(escape(out.toString()), MAX_VALUE);
    }

    public static String redact(String text) {
        return redact(text, MAX_VALUE);
    }

    /** Returns a text that may be longer than a value. */
    public static String redact(String text, int max) {
        return truncate(escape(text), max);
    }

    /** The path of a file is shown, but not a secret that was given instead of it. */
    private static boolean mustMask(String name, JsonValue value) {
        boolean isPath = name.endsWith("File")
                && value instanceof JsonValue.JsonString text
                && FILE_PATH.matcher(text.value()).matches();
        return isSecret(name) && !isPath;
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
                    if (mustMask(jsonObjectReader.name(i), jsonObjectReader.value(i))) {
                        out.append(MASK);
                    } else {
                        append(out, jsonObjectReader.value(i));
                    }
                }
                out.append('}');
            }
        }
    }

    /** Escapes control characters and other characters that would garble a terminal. */
    public static String escape(String text) {
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

    /** Truncates a text to a length, but not in the middle of a surrogate pair. */
    public static String truncate(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 2)) ? max - 2 : max - 1;
        return text.substring(0, end) + "…";
    }
}
