package dev.flotilla.auditor.json;

import java.util.Map;

/** Sixty-four bits that stand for a value, whatever the order of its members. */
public final class Fingerprint {
    private static final long BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    private Fingerprint() {}

    public static long of(Json json) {
        return switch (json) {
            case Json.Null none -> mixed(BASIS, 'n');
            case Json.Flag flag -> mixed(BASIS, flag.value() ? 't' : 'f');
            case Json.Num number -> text(mixed(BASIS, '#'), number.digits());
            case Json.Text text -> text(mixed(BASIS, '"'), text.value());
            case Json.Arr array -> {
                long hash = mixed(BASIS, '[');
                for (Json item : array.items()) {
                    hash = mixed(hash, of(item));
                }
                yield hash;
            }
            case Json.Obj object -> {
                long sum = 0;
                for (Map.Entry<String, Json> member : object.members().entrySet()) {
                    sum += mixed(text(BASIS, member.getKey()), of(member.getValue()));
                }
                yield mixed(mixed(BASIS, '{'), sum);
            }
        };
    }

    private static long text(long hash, String text) {
        long mixed = hash;
        for (int i = 0; i < text.length(); i++) {
            mixed = (mixed ^ text.charAt(i)) * PRIME;
        }
        return mixed(mixed, text.length());
    }

    private static long mixed(long hash, long value) {
        long mixed = (hash ^ value) * PRIME;
        mixed ^= mixed >>> 32;
        return mixed * 0x9E3779B97F4A7C15L;
    }
}
