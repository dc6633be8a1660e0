package dev.flotilla.core.fleet;

import java.nio.charset.StandardCharsets;

/** The uids of machines: two longs where they are UUIDs, a shared text where they are not. */
final class Uids {
    private static final int UUID_LENGTH = 36;
    private static final String DIGITS = "0123456789abcdef";

    private final LongColumn high = new LongColumn();
    private final LongColumn low = new LongColumn();
    private final Pool<String> others = new Pool<>();

    void set(int row, String uid) {
        if (isUuid(uid)) {
            high.set(row, bits(uid, 0));
            low.set(row, bits(uid, UUID_LENGTH / 2));
        } else {
            // No UUID has a version of zero, so that this never looks like one.
            high.set(row, 0);
            low.set(row, others.number(uid));
        }
    }

    boolean is(int row, String uid) {
        if (isUuid(uid)) {
            return high.get(row) == bits(uid, 0) && low.get(row) == bits(uid, UUID_LENGTH / 2);
        }
        return uid.equals(get(row));
    }

    String get(int row) {
        long first = high.get(row);
        if (first == 0) {
            String other = others.value((int) low.get(row));
            return other == null ? "" : other;
        }
        byte[] text = new byte[UUID_LENGTH];
        write(text, 0, first);
        write(text, UUID_LENGTH / 2, low.get(row));
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** Writes half a UUID, with the dashes where they are. */
    private static void write(byte[] text, int from, long bits) {
        int shift = Long.SIZE;
        for (int i = from; i < from + UUID_LENGTH / 2; i++) {
            if (isDash(i)) {
                text[i] = '-';
            } else {
                shift -= 4;
                text[i] = (byte) DIGITS.charAt((int) (bits >>> shift) & 15);
            }
        }
    }

    private static boolean isDash(int place) {
        return place == 8 || place == 13 || place == 18 || place == 23;
    }

    private static boolean isUuid(String uid) {
        if (uid.length() != UUID_LENGTH || uid.charAt(14) == '0') {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            boolean dash = isDash(i);
            char c = uid.charAt(i);
            boolean digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            if (dash ? c != '-' : !digit) {
                return false;
            }
        }
        return true;
    }

    private static long bits(String uid, int from) {
        long bits = 0;
        for (int i = from; i < from + UUID_LENGTH / 2; i++) {
            char c = uid.charAt(i);
            if (c != '-') {
                bits = bits << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
            }
        }
        return bits;
    }
}
