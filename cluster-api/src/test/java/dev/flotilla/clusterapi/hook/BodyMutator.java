package dev.flotilla.clusterapi.hook;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Damages bodies of requests: values, structure and bytes. Bodies are handled as ISO 8859-1, so that every byte survives. */
final class BodyMutator {
    private static final List<String> TOKENS = List.of(
            "null",
            "{}",
            "[]",
            "1.0",
            "-1",
            "\"\"",
            "true",
            "\"v1.35.0\"",
            "\"v9.99.99\"",
            "1e999",
            "-0",
            "9223372036854775808",
            "9".repeat(1_200),
            "\"" + "x".repeat(70_000) + "\"",
            "\"eyJ+not/base64==\"",
            "\"\\ud800\"",
            "\\u0000",
            "\"JSONMergePatch\"",
            "\"Success\"",
            "{",
            "}",
            ",");

    private final List<byte[]> originals;
    private final Random random;

    BodyMutator(List<byte[]> originals, Random random) {
        this.originals = originals;
        this.random = random;
    }

    byte[] next() {
        StringBuilder text = new StringBuilder(text());
        for (int i = random.nextInt(3); i >= 0 && !text.isEmpty(); i--) {
            mutate(text);
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private String text() {
        return new String(originals.get(random.nextInt(originals.size())), StandardCharsets.ISO_8859_1);
    }

    private void mutate(StringBuilder text) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(11)) {
            case 0 -> replaceText(text, at, token());
            case 1 -> replaceText(text, at, Integer.toString(random.nextInt()));
            case 2 -> text.deleteCharAt(at);
            case 3 -> text.insert(at, token());
            case 4 -> text.setCharAt(at, (char) random.nextInt(256));
            case 5 -> text.setLength(at);
            case 6 -> replaceValue(text, at, token());
            case 7 -> replaceValue(text, at, valueAfter(text(), random.nextInt(1_000)));
            case 8 -> repeatMember(text, at);
            case 9 -> {
                int depth = 1 + random.nextInt(200);
                replaceValue(text, at, "[".repeat(depth) + "]".repeat(depth));
            }
            default -> {
                String invalid = random.nextBoolean() ? "\u00c3\u0028" : "\u00ff\u00fe";
                replaceText(text, at, '"' + invalid + '"');
            }
        }
    }

    private String token() {
        return TOKENS.get(random.nextInt(TOKENS.size()));
    }

    /** Replaces the next text after a position. */
    private static void replaceText(StringBuilder text, int from, String value) {
        int colon = text.indexOf(":\"", from);
        int end = colon < 0 ? -1 : text.indexOf("\"", colon + 2);
        if (end > 0) {
            text.replace(colon + 1, end + 1, value);
        }
    }

    /** Replaces the next object or list after a position. */
    private static void replaceValue(StringBuilder text, int from, String value) {
        String old = valueAfter(text.toString(), from);
        if (!old.isEmpty()) {
            int begin = text.indexOf(old, from);
            text.replace(begin, begin + old.length(), value);
        }
    }

    /** Writes a member twice, with another value the second time. */
    private void repeatMember(StringBuilder text, int from) {
        int name = text.indexOf(",\"", from);
        int colon = name < 0 ? -1 : text.indexOf("\":", name);
        if (colon > 0) {
            text.insert(name, text.substring(name, colon + 2) + token());
        }
    }

    /** Returns the next object or list after a position; empty for none. */
    private static String valueAfter(String text, int from) {
        int begin = from;
        while (begin < text.length() && text.charAt(begin) != '{' && text.charAt(begin) != '[') {
            begin++;
        }
        int depth = 0;
        for (int i = begin; i < text.length(); i++) {
            char each = text.charAt(i);
            depth += each == '{' || each == '[' ? 1 : each == '}' || each == ']' ? -1 : 0;
            if (depth == 0) {
                return text.substring(begin, i + 1);
            }
        }
        return "";
    }
}
