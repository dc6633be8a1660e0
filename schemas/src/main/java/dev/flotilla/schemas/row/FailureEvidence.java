package dev.flotilla.schemas.row;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Evidence of a failed attempt for an investigation: at most {@link #MAX_LINES} lines of a kind, of {@link #MAX_LINE}
 * characters each, the newest last. It contains no secrets.
 *
 * @param nodeConditions the last known conditions of the Node
 * @param k8sdExchanges the last requests to k8sd and their results, including snapd's errors
 * @param nodeUpgrade the NodeUpgrade of the attempt and its steps, as last read
 * @param leftBehind annotations and cordons that the attempt could not remove from objects
 */
public record FailureEvidence(
        List<String> nodeConditions, List<String> k8sdExchanges, List<String> nodeUpgrade, List<String> leftBehind) {
    public static final FailureEvidence NONE = new FailureEvidence(List.of(), List.of(), List.of());
    public static final int MAX_LINES = 8;
    public static final int MAX_LINE = 320;

    public FailureEvidence {
        nodeConditions = truncate(nodeConditions);
        k8sdExchanges = truncate(k8sdExchanges);
        nodeUpgrade = truncate(nodeUpgrade);
        leftBehind = truncate(leftBehind);
    }

    /** Evidence without a NodeUpgrade. */
    public FailureEvidence(List<String> nodeConditions, List<String> k8sdExchanges, List<String> leftBehind) {
        this(nodeConditions, k8sdExchanges, List.of(), leftBehind);
    }

    private static List<String> truncate(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()).stream()
                .map(line -> line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE))
                .toList();
    }

    /** Describes the evidence in one line, each piece after its source. */
    public String describe() {
        return Stream.of(
                        describe("node", nodeConditions),
                        describe("k8sd", k8sdExchanges),
                        describe("NodeUpgrade", nodeUpgrade),
                        describe("left behind", leftBehind))
                .flatMap(pieces -> pieces)
                .collect(Collectors.joining("; "));
    }

    private static Stream<String> describe(String source, List<String> lines) {
        return lines.stream().map(line -> source + ": " + line);
    }

    /** Whether there is no evidence. */
    public boolean isEmpty() {
        return nodeConditions.isEmpty() && k8sdExchanges.isEmpty() && nodeUpgrade.isEmpty() && leftBehind.isEmpty();
    }
}
