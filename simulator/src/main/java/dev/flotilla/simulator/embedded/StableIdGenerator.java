package dev.flotilla.simulator.embedded;

import dev.flotilla.simulator.world.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Generates identifiers that are the same in each run. */
final class StableIdGenerator {
    private StableIdGenerator() {}

    static String stableUuid(String of) {
        return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** 32 hexadecimal digits, like Canonical's tokens. */
    static String stableToken(SeededRandom chance, String of) {
        SeededRandom stream = chance.split(of);
        return "%016x%016x".formatted(stream.next(), stream.next());
    }

    /** An address of a private network, a different one for each number. */
    static String address(int number) {
        return "10." + ((number >> 16) & 0xFF) + "." + ((number >> 8) & 0xFF) + "." + (number & 0xFF);
    }
}
