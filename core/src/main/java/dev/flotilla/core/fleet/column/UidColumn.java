package dev.flotilla.core.fleet.column;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The uids of machines: two longs for a UUID, otherwise a shared text. */
public final class UidColumn {
    private static final int UUID_LENGTH = 36;

    private final LongColumn high = new LongColumn();
    private final LongColumn low = new LongColumn();
    private final ValueInterner<String> others = new ValueInterner<>();

    public void set(int row, String uid) {
        UUID number = number(uid);
        if (number != null) {
            high.set(row, number.getMostSignificantBits());
            low.set(row, number.getLeastSignificantBits());
        } else {
            high.set(row, 0);
            low.set(row, others.numberOf(uid));
        }
    }

    public boolean matches(int row, String uid) {
        UUID number = number(uid);
        return number == null
                ? uid.equals(get(row))
                : high.get(row) == number.getMostSignificantBits() && low.get(row) == number.getLeastSignificantBits();
    }

    public String get(int row) {
        long first = high.get(row);
        if (first == 0) {
            String other = others.value((int) low.get(row));
            return other == null ? "" : other;
        }
        return new UUID(first, low.get(row)).toString();
    }

    /** The UUID of a uid in canonical form; null if it is no such UUID. */
    private static @Nullable UUID number(String uid) {
        if (!isCanonical(uid)) {
            return null;
        }
        UUID number = UUID.fromString(uid);
        return number.getMostSignificantBits() != 0 ? number : null;
    }

    /** Whether the canonical form, such as {@code 123e4567-e89b-12d3-a456-426614174000}, has a dash there. */
    private static boolean isDash(int place) {
        return place == 8 || place == 13 || place == 18 || place == 23;
    }

    private static boolean isCanonical(String uid) {
        if (uid.length() != UUID_LENGTH) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            char c = uid.charAt(i);
            boolean isDigit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            if (isDash(i) ? c != '-' : !isDigit) {
                return false;
            }
        }
        return true;
    }
}
