package dev.flotilla.auditor.json;

/** Writes the auditor's own JSON. */
public final class JsonTextWriter {
    private static final char FIRST_PRINTABLE = ' ';

    private final StringBuilder out = new StringBuilder();
    private boolean first = true;

    public JsonTextWriter begin(char bracket) {
        separate();
        out.append(bracket);
        first = true;
        return this;
    }

    public JsonTextWriter end(char bracket) {
        out.append(bracket);
        first = false;
        return this;
    }

    public JsonTextWriter name(String name) {
        separate();
        quote(name);
        out.append(':');
        first = true;
        return this;
    }

    public JsonTextWriter text(String value) {
        separate();
        quote(value);
        return this;
    }

    public JsonTextWriter plain(long value) {
        separate();
        out.append(value);
        return this;
    }

    public JsonTextWriter plain(boolean value) {
        separate();
        out.append(value);
        return this;
    }

    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void quote(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
