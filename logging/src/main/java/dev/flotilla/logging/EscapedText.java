package dev.flotilla.logging;

/** Escapes as JSON strings have them. A value cannot end its line and so cannot forge another event. */
final class EscapedText {
    private static final int FIRST_PRINTABLE = 0x20;

    private EscapedText() {}

    static void append(StringBuilder out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                default -> appendUnquoted(out, c);
            }
        }
    }

    /** Escapes control characters alone. */
    static void appendUnquoted(StringBuilder out, char c) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                // Collectors and terminals take U+0085, U+2028 and U+2029 for line ends.
                if (c < FIRST_PRINTABLE || (c >= 0x7f && c <= 0x9f) || c == '\u2028' || c == '\u2029') {
                    out.append(String.format("\\u%04x", (int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }
}
