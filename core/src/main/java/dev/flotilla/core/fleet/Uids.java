package dev.flotilla.core.fleet;

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
        StringBuilder text = new StringBuilder(UUID_LENGTH);
        append(text, first);
        text.insert(8, '-').insert(13, '-').append('-');
        append(text, low.get(row));
        return text.insert(23, '-').toString();
    }

    private static void append(StringBuilder text, long bits) {
        for (int shift = 60; shift >= 0; shift -= 4) {
            text.append(DIGITS.charAt((int) (bits >>> shift) & 15));
        }
    }

    private static boolean isUuid(String uid) {
        if (uid.length() != UUID_LENGTH || uid.charAt(14) == '0') {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
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
