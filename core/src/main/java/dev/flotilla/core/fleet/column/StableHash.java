package dev.flotilla.core.fleet.column;

import org.jspecify.annotations.Nullable;

/** A 64-bit hash, equal in every JVM, of names and whole rows. */
public final class StableHash {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private long value = OFFSET;

    /** The hash of one text. */
    public static long of(String text) {
        return new StableHash().add(text).value();
    }

    /** Mixes a number's bits over all 64. */
    public static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    public StableHash add(@Nullable String text) {
        if (text == null) {
            return add(-1L);
        }
        for (int i = 0; i < text.length(); i++) {
            value = (value ^ text.charAt(i)) * PRIME;
        }
        return add(text.length());
    }

    public StableHash add(long number) {
        value = mix(value ^ number);
        return this;
    }

    public long value() {
        return mix(value);
    }
}
