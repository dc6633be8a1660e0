package dev.flotilla.core.samples;

import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Sample that breaks every rule of the core, to test the rules. It belongs to no module. */
public final class ImpureSample {

    static int shared;

    volatile boolean seen;

    double share;

    AtomicLong future() {
        return new AtomicLong();
    }

    List<Object> time(java.time.Clock clock) {
        return List.of(Instant.now(clock), ZoneId.systemDefault());
    }

    synchronized List<Object> threads(List<String> names) {
        return List.of(Thread.currentThread(), names.parallelStream());
    }

    List<Object> process(String name) {
        return List.of(System.nanoTime(), Locale.getDefault(), name);
    }

    List<Object> chance() {
        return List.of(new Random(), UUID.randomUUID());
    }

    List<Object> order(List<String> names) {
        Map<String, String> byHash = new HashMap<>();
        return List.of(byHash, Set.of("a", "b"), names.stream().collect(Collectors.toSet()));
    }

    int identity(Object any) {
        return any.hashCode();
    }

    double logarithm(double of) {
        return Math.log(of);
    }
}
