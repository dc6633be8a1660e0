package dev.flotilla.cli.support;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the value of a name stands in a text of unknown form.
 *
 * @param start its first character
 * @param end the character after its last
 */
record SecretValue(int start, int end) {
    /** How far the end of a quoted or nested value is looked for. */
    private static final int LONGEST = 1024 * 1024;

    private static final char NO_QUOTE = 0;
    private static final List<String> FIRST_ON_LINE = List.of("", "-", "\"", "'", "- \"");
    private static final List<String> SPACED = List.of("authorization", "cookie", "jaas");
    private static final String CLOSING = " \t,;&\"'<>)]}";

    /**
     * Finds the value after a name; null if there is none.
     *
     * @param name the first character of the name
     * @param from the first character after the name and its colon or equals sign
     */
    static @Nullable SecretValue find(String text, int name, int from) {
        int at = skipBlanks(text, from);
        if (at == text.length() || isEndOfLine(text, at)) {
            return text.startsWith(":", from - 1) ? block(text, name, at) : null;
        }
        int quote = at;
        while (quote < text.length() && text.charAt(quote) == '\\') {
            quote++;
        }
        if (quote < text.length() && (text.charAt(quote) == '"' || text.charAt(quote) == '\'')) {
            return quoted(text, at, quote);
        }
        char first = text.charAt(at);
        if (first == '{' || first == '[') {
            return new SecretValue(at, nestedEnd(text, at));
        }
        if (first == '|' || first == '>') {
            SecretValue lines = block(text, name, at);
            return lines == null ? new SecretValue(at, endOfLine(text, at)) : lines;
        }
        if (isWholeLine(text, name, from)) {
            return new SecretValue(at, lineEnd(text, at));
        }
        return new SecretValue(at, hasSpaces(text.substring(name, from)) ? textEnd(text, name, at) : wordEnd(text, at));
    }

    private static SecretValue quoted(String text, int at, int quote) {
        String close = text.substring(at, quote + 1);
        boolean doubled = text.charAt(quote) == '"';
        int limit = Math.min(text.length(), quote + LONGEST);
        for (int i = quote + 1; i < limit; i++) {
            if (doubled && close.length() == 1 && text.charAt(i) == '\\') {
                i++;
            } else if (!doubled && close.length() == 1 && text.startsWith("''", i)) {
                // A quote within single quotes of YAML.
                i++;
            } else if (text.startsWith(close, i) && (close.length() == 1 || text.charAt(i - 1) != '\\')) {
                return new SecretValue(quote + 1, i);
            }
        }
        return new SecretValue(quote + 1, endOfLine(text, quote));
    }

    private static int nestedEnd(String text, int at) {
        int depth = 0;
        int limit = Math.min(text.length(), at + LONGEST);
        for (int i = at; i < limit; i++) {
            char c = text.charAt(i);
            if (c == '{' || c == '[') {
                depth++;
            } else if ((c == '}' || c == ']') && --depth == 0) {
                return i + 1;
            } else if (c == '"' && text.charAt(Math.max(0, i - 1)) != '\\') {
                i = quoted(text, i, i).end();
            }
        }
        return limit;
    }

    /** The lines below that are indented more than the line with the name; null if there is none. */
    private static @Nullable SecretValue block(String text, int name, int at) {
        int indent = indentOf(text, name);
        int start = Math.min(text.length(), endOfLine(text, at) + 1);
        int end = start;
        while (end < text.length()) {
            int line = skipBlanks(text, end);
            boolean empty = line == text.length() || isEndOfLine(text, line);
            if (!empty && line - end <= indent) {
                break;
            }
            end = Math.min(text.length(), endOfLine(text, end) + 1);
        }
        return end == start ? null : new SecretValue(start, end - (text.charAt(end - 1) == '\n' ? 1 : 0));
    }

    private static int indentOf(String text, int name) {
        int line = text.lastIndexOf('\n', Math.max(0, name - 1)) + 1;
        int at = skipBlanks(text, line);
        return at - line;
    }

    /** Whether the name stands first on its line, so that spaces and separators belong to the value. */
    private static boolean isWholeLine(String text, int name, int from) {
        int line = name == 0 ? 0 : text.lastIndexOf('\n', name - 1) + 1;
        String before = text.substring(line, name).strip();
        char separator = text.charAt(from - 1);
        return (separator == ':' || separator == '=') && FIRST_ON_LINE.contains(before);
    }

    /** Whether spaces belong to the value of a name, such as those of an HTTP header. */
    private static boolean hasSpaces(String name) {
        return SPACED.stream().anyMatch(name.toLowerCase(Locale.ROOT)::contains);
    }

    /** The end of a value with spaces: that of the quoted text in which the name stands, or of the line. */
    private static int textEnd(String text, int name, int at) {
        char open = enclosingQuote(text, name);
        int end = at;
        while (end < text.length() && !isEndOfLine(text, end)) {
            if (text.charAt(end) == '\\' && open != NO_QUOTE) {
                end++;
            } else if (text.charAt(end) == open) {
                return end;
            }
            end++;
        }
        return Math.min(end, text.length());
    }

    private static char enclosingQuote(String text, int name) {
        char open = NO_QUOTE;
        for (int i = text.lastIndexOf('\n', Math.max(0, name - 1)) + 1; i < name; i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (open == NO_QUOTE && (c == '"' || c == '\'')) {
                open = c;
            } else if (c == open) {
                open = NO_QUOTE;
            }
        }
        return open;
    }

    private static int lineEnd(String text, int at) {
        int end = endOfLine(text, at);
        return end > at && text.charAt(end - 1) == ',' ? end - 1 : end;
    }

    private static int wordEnd(String text, int at) {
        int end = at;
        while (end < text.length() && !isEndOfLine(text, end) && CLOSING.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static int skipBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    private static boolean isEndOfLine(String text, int at) {
        return text.charAt(at) == '\n' || text.charAt(at) == '\r';
    }

    private static int endOfLine(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }
}
