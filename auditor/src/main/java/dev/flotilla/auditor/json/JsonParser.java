package dev.flotilla.auditor.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one JSON value of UTF-8 bytes, by RFC 8259. */
public final class JsonParser {
    private static final int DEEPEST = 64;
    private static final int HEX = 16;

    private final String text;
    private int at;
    private int depth;

    private JsonParser(String text) {
        this.text = text;
    }

    public static JsonValue parse(byte[] utf8) {
        return parse(new String(utf8, StandardCharsets.UTF_8));
    }

    public static JsonValue parse(String text) {
        JsonParser parser = new JsonParser(text);
        JsonValue value = parser.value();
        parser.space();
        if (parser.at < text.length()) {
            throw parser.wrong("goes on after its end");
        }
        return value;
    }

    private JsonValue value() {
        space();
        if (at == text.length()) {
            throw wrong("ends too early");
        }
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> new JsonValue.JsonString(string());
            case 't' -> word("true", new JsonValue.JsonBoolean(true));
            case 'f' -> word("false", new JsonValue.JsonBoolean(false));
            case 'n' -> word("null", new JsonValue.JsonNull());
            default -> number();
        };
    }

    private JsonValue object() {
        enter();
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (!ends('}')) {
            do {
                space();
                String name = string();
                expect(':');
                JsonValue value = value();
                if (!(value instanceof JsonValue.JsonNull)) {
                    members.put(name, value);
                }
            } while (goesOn('}'));
        }
        depth--;
        return new JsonValue.JsonObject(members);
    }

    private JsonValue array() {
        enter();
        List<JsonValue> items = new ArrayList<>();
        if (!ends(']')) {
            do {
                items.add(value());
            } while (goesOn(']'));
        }
        depth--;
        return new JsonValue.JsonArray(items);
    }

    private void enter() {
        at++;
        if (++depth > DEEPEST) {
            throw wrong("is nested too deeply");
        }
    }

    private boolean ends(char end) {
        space();
        if (at < text.length() && text.charAt(at) == end) {
            at++;
            return true;
        }
        return false;
    }

    private boolean goesOn(char end) {
        if (ends(end)) {
            return false;
        }
        expect(',');
        return true;
    }

    private void expect(char wanted) {
        space();
        if (at == text.length() || text.charAt(at) != wanted) {
            throw wrong("lacks '" + wanted + "'");
        }
        at++;
    }

    private String string() {
        expect('"');
        int begin = at;
        int end = begin;
        while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\\') {
            end++;
        }
        if (end < text.length() && text.charAt(end) == '"') {
            at = end + 1;
            return text.substring(begin, end);
        }
        StringBuilder out = new StringBuilder(text.substring(begin, end));
        at = end;
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next == '"') {
                return out.toString();
            }
            out.append(next == '\\' ? escaped() : next);
        }
        throw wrong("has a text without end");
    }

    private char escaped() {
        if (at == text.length()) {
            throw wrong("has a text without end");
        }
        char escape = text.charAt(at++);
        return switch (escape) {
            case '"', '\\', '/' -> escape;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hexadecimal();
            default -> throw wrong("has the unknown escape \\" + escape);
        };
    }

    private char hexadecimal() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < text.length() ? Character.digit(text.charAt(at++), HEX) : -1;
            if (digit < 0) {
                throw wrong("has a broken \\u");
            }
            value = value * HEX + digit;
        }
        return (char) value;
    }

    private JsonValue word(String word, JsonValue value) {
        if (!text.startsWith(word, at)) {
            throw wrong("has an unknown word");
        }
        at += word.length();
        return value;
    }

    private JsonValue number() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (begin == at) {
            throw wrong("has '" + text.charAt(at) + "' where a value should be");
        }
        return new JsonValue.JsonNumber(text.substring(begin, at));
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private MalformedJsonException wrong(String problem) {
        return new MalformedJsonException(problem + ", at character " + at);
    }
}
