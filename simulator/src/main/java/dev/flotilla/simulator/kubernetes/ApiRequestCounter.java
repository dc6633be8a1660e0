package dev.flotilla.simulator.kubernetes;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a cluster's API was asked, so that tests and benchmarks count reads and writes. May be read from any thread. */
public final class ApiRequestCounter {
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<Integer, LongAdder> answers = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> impersonated = new ConcurrentHashMap<>();

    ApiRequestCounter() {}

    void countRequest(String verb) {
        requests.computeIfAbsent(verb, absent -> new LongAdder()).increment();
    }

    void countResponse(int status) {
        answers.computeIfAbsent(status, absent -> new LongAdder()).increment();
    }

    void impersonated(String user) {
        impersonated.computeIfAbsent(user, absent -> new LongAdder()).increment();
    }

    /** Requests by verb and resource, such as `patch machines` or `create pods/eviction`. */
    public Map<String, Long> requests() {
        return sums(requests);
    }

    /** Requests of one verb and resource. */
    public long requests(String verbAndResource) {
        LongAdder count = requests.get(verbAndResource);
        return count == null ? 0 : count.sum();
    }

    /** Requests that read. */
    public long reads() {
        return sum(true);
    }

    /** Requests that write. */
    public long writes() {
        return sum(false);
    }

    /** Answers by status of HTTP. A watch counts as 200, and what was cut off not at all. */
    public Map<Integer, Long> answers() {
        return sums(answers);
    }

    /** Requests in the name of somebody else, by that name. */
    public Map<String, Long> impersonated() {
        return sums(impersonated);
    }

    private long sum(boolean reads) {
        long sum = 0;
        for (Map.Entry<String, LongAdder> entry : requests.entrySet()) {
            String verb = entry.getKey();
            boolean read = verb.startsWith("get ") || verb.startsWith("list ") || verb.startsWith("watch ");
            sum += read == reads ? entry.getValue().sum() : 0;
        }
        return sum;
    }

    private static <K> Map<K, Long> sums(Map<K, LongAdder> counts) {
        Map<K, Long> sums = new TreeMap<>();
        counts.forEach((key, count) -> sums.put(key, count.sum()));
        return sums;
    }
}
