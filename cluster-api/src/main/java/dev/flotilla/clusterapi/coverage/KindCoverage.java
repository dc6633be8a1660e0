package dev.flotilla.clusterapi.coverage;

import java.util.List;
import java.util.stream.Stream;

/**
 * The fields of one kind that can change without a replacement of the machine.
 *
 * @param applied what the node upgrader applies to the machine
 * @param withVersion what the upgrade to a Kubernetes version brings with it, and nothing else does
 * @param ignored what is accepted and not applied: the machine keeps the old value
 * @param delegated what another extension applies
 * @param available what changes while the machine stays available; it has to be covered besides
 */
record KindCoverage(
        List<SpecPath> applied,
        List<SpecPath> withVersion,
        List<SpecPath> ignored,
        List<SpecPath> delegated,
        List<SpecPath> available) {
    static final KindCoverage NONE = new KindCoverage(List.of(), List.of(), List.of(), List.of(), List.of());

    KindCoverage {
        applied = List.copyOf(applied);
        withVersion = List.copyOf(withVersion);
        ignored = List.copyOf(ignored);
        delegated = List.copyOf(delegated);
        available = List.copyOf(available);
    }

    static KindCoverage applied(List<SpecPath> paths) {
        return new KindCoverage(paths, List.of(), List.of(), List.of(), List.of());
    }

    static KindCoverage withVersion(SpecPath path) {
        return new KindCoverage(List.of(), List.of(path), List.of(), List.of(), List.of());
    }

    static KindCoverage ignored(List<SpecPath> paths) {
        return new KindCoverage(List.of(), List.of(), paths, List.of(), List.of());
    }

    static KindCoverage delegated(List<SpecPath> paths) {
        return new KindCoverage(List.of(), List.of(), List.of(), paths, List.of());
    }

    static KindCoverage available(List<SpecPath> paths) {
        return new KindCoverage(List.of(), List.of(), List.of(), List.of(), paths);
    }

    KindCoverage plus(KindCoverage other) {
        return new KindCoverage(
                join(applied, other.applied),
                join(withVersion, other.withVersion),
                join(ignored, other.ignored),
                join(delegated, other.delegated),
                join(available, other.available));
    }

    private static List<SpecPath> join(List<SpecPath> some, List<SpecPath> more) {
        return Stream.concat(some.stream(), more.stream()).distinct().toList();
    }

    boolean isApplied(SpecChange change) {
        return isCovered(applied, change) || isCovered(withVersion, change) || isCovered(delegated, change);
    }

    /** Whether a change is applied with another version of the Machine only. */
    boolean needsVersion(SpecChange change) {
        return isCovered(withVersion, change) && !isCovered(applied, change) && !isCovered(delegated, change);
    }

    /** Whether a change is accepted. What is applied besides is applied. */
    boolean isIgnored(SpecChange change) {
        return isCovered(ignored, change);
    }

    /** Whether the machine stays available while a change is made. */
    boolean keepsAvailable(SpecChange change) {
        return isCovered(available, change);
    }

    /** An empty object above a covered field comes and goes with it. */
    private static boolean isCovered(List<SpecPath> paths, SpecChange change) {
        return paths.stream()
                .anyMatch(path -> path.isPrefixOf(change.path())
                        || (change.isEmptyObject() && change.path().isPrefixOf(path)));
    }
}
