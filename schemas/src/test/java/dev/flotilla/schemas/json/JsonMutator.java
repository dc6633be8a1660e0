package dev.flotilla.schemas.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Mutates JSON bytes like a faulty network, a faulty writer or an attacker. */
final class JsonMutator {
    private static final String[] VALUES = {
        "null",
        "true",
        "-0",
        "1e999",
        "0.1",
        "9223372036854775808",
        "-9223372036854775809",
        "\"\"",
        "[]",
        "{}",
        "[[]]",
        "\"\\ud800\"",
        "\"\\u0000\"",
        "\"2026-13-01T00:00:00Z\"",
        "\"9999-12-31T23:59:59.999-18:00\"",
        "\"0s\"",
        "\"999999999999d\"",
        "\"100%\"",
        "\"101%\"",
        "9".repeat(1_000),
        "NaN",
        "\"" + "x".repeat(5_000) + "\""
    };

    private final Random random;

    JsonMutator(Random random) {
        this.random = random;
    }

    String mutate(String text) {
        return new String(mutate(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    byte[] mutate(byte[] good) {
        byte[] bytes = good;
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times && bytes.length > 0; i++) {
            bytes = once(bytes);
        }
        return bytes;
    }

    private byte[] once(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(10)) {
            case 0 -> flip(bytes, at);
            case 1 -> splice(bytes, 0, 0, at, new byte[0]);
            case 2 -> splice(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(20)), bytes.length, new byte[0]);
            case 3 -> splice(bytes, at, at, bytes.length, nested());
            case 4 -> member(bytes, at);
            case 5, 6 -> value(bytes, at);
            case 7 -> splice(bytes, at, at, bytes.length, noise(1 + random.nextInt(16)));
            case 8 -> digits(bytes, at);
            default -> letter(bytes, at);
        };
    }

    private byte[] flip(byte[] bytes, int at) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    private byte[] letter(byte[] bytes, int at) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) (32 + random.nextInt(95));
        return changed;
    }

    /** Replaces the bytes between two positions. */
    private static byte[] splice(byte[] bytes, int from, int to, int end, byte[] between) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, from);
        out.writeBytes(between);
        out.write(bytes, to, Math.max(0, end - to));
        return out.toByteArray();
    }

    private byte[] nested() {
        int depth = random.nextInt(50) == 0 ? 20_000 : random.nextInt(60);
        return (random.nextBoolean() ? "[" : "{\"a\":").repeat(depth).getBytes(StandardCharsets.UTF_8);
    }

    /** Repeats a member, so that its name occurs twice. */
    private byte[] member(byte[] bytes, int at) {
        int from = find(bytes, at, ",{");
        int to = find(bytes, from + 1, ",}");
        if (from >= bytes.length || to >= bytes.length) {
            return flip(bytes, at);
        }
        ByteArrayOutputStream twice = new ByteArrayOutputStream();
        twice.write(bytes, from + 1, to - from - 1);
        twice.write(',');
        return splice(bytes, from + 1, from + 1, bytes.length, twice.toByteArray());
    }

    /** Replaces a value by another one. */
    private byte[] value(byte[] bytes, int at) {
        int from = Math.min(bytes.length - 1, find(bytes, at, ":["));
        int to = find(bytes, from + 1, ",}]");
        String other = VALUES[random.nextInt(VALUES.length)];
        return splice(bytes, from + 1, Math.max(from + 1, to), bytes.length, other.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] digits(byte[] bytes, int at) {
        int digit = at;
        while (digit < bytes.length && (bytes[digit] < '0' || bytes[digit] > '9')) {
            digit++;
        }
        byte[] more = "9"
                .repeat(1 + random.nextInt(random.nextInt(20) == 0 ? 2_000 : 20))
                .getBytes(StandardCharsets.UTF_8);
        return splice(bytes, digit, digit, bytes.length, more);
    }

    private byte[] noise(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int find(byte[] bytes, int from, String any) {
        int at = from;
        while (at < bytes.length && any.indexOf(bytes[at]) < 0) {
            at++;
        }
        return at;
    }
}
