package dev.flotilla.auditor.program;

import dev.flotilla.auditor.check.Audit;
import dev.flotilla.auditor.check.Findings;
import dev.flotilla.auditor.check.Invariant;
import dev.flotilla.auditor.check.Violation;
import dev.flotilla.auditor.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The audit at one moment, for readers on other threads. */
public record Standing(
        long seq,
        long decisions,
        SortedMap<String, Long> checks,
        SortedMap<String, Long> violated,
        List<Violation> violations,
        SortedMap<String, Long> unverified,
        int inFlight,
        int maxInFlight,
        long lag,
        boolean caughtUp,
        List<String> heldBack,
        List<String> unfinished) {

    /** Takes a picture; to be called on the audit's own thread. */
    static Standing of(Audit audit, long lag, boolean caughtUp, List<String> heldBack, List<String> unfinished) {
        Findings findings = audit.findings();
        SortedMap<String, Long> checks = new TreeMap<>();
        SortedMap<String, Long> violated = new TreeMap<>();
        for (Invariant invariant : Invariant.values()) {
            checks.put(invariant.label(), findings.checks(invariant));
            violated.put(invariant.label(), findings.violated(invariant));
        }
        return new Standing(
                audit.seq(),
                audit.decisions(),
                checks,
                violated,
                findings.violations(),
                findings.unverified(),
                audit.inFlight(),
                audit.maxInFlight(),
                lag,
                caughtUp,
                heldBack,
                unfinished);
    }

    long broken() {
        return violated.values().stream().mapToLong(Long::longValue).sum();
    }

    String json() {
        JsonText out = new JsonText().begin('{');
        out.name("seq").plain(seq).name("decisions").plain(decisions);
        counts(out.name("checks"), checks);
        out.name("violationCount").plain(broken()).name("violations").begin('[');
        for (Violation violation : violations) {
            out.begin('{')
                    .name("invariant")
                    .text(violation.invariant().label())
                    .name("at")
                    .text(violation.at().toString())
                    .name("seq")
                    .plain(violation.seq())
                    .name("detail")
                    .text(violation.detail())
                    .end('}');
        }
        out.end(']');
        counts(out.name("unverified"), unverified);
        out.name("inFlight").plain(inFlight).name("maxInFlight").plain(maxInFlight);
        out.name("lagRecords").plain(lag).name("caughtUp").plain(caughtUp);
        out.name("heldBack").begin('[');
        heldBack.forEach(out::text);
        out.end(']');
        out.name("unfinished").begin('[');
        unfinished.forEach(out::text);
        return out.end(']').end('}').toString();
    }

    private static void counts(JsonText out, Map<String, Long> counts) {
        out.begin('{');
        counts.forEach((name, count) -> out.name(name).plain(count));
        out.end('}');
    }

    /** What is counted, in Prometheus' text form. */
    public String metrics() {
        StringBuilder out = new StringBuilder();
        metric(out, "flotilla_audit_seq", "gauge", "The newest decision that was read.", seq);
        metric(out, "flotilla_audit_decisions_total", "counter", "Decisions that were checked.", decisions);
        metric(out, "flotilla_audit_lag_records", "gauge", "Records that are still to be read.", lag);
        metric(
                out,
                "flotilla_audit_held_back",
                "gauge",
                "Partitions that an open transaction holds back: nobody sees what is written there.",
                heldBack.size());
        metric(out, "flotilla_audit_in_flight", "gauge", "Machines in flight, by the auditor's own count.", inFlight);
        metric(out, "flotilla_audit_in_flight_max", "gauge", "The most machines in flight so far.", maxInFlight);
        byLabel(out, "flotilla_audit_checks_total", "How often an invariant was looked at.", "invariant", checks);
        byLabel(out, "flotilla_audit_violations_total", "How often one did not hold.", "invariant", violated);
        byLabel(out, "flotilla_audit_unverified_total", "What could not be judged, and why.", "reason", unverified);
        return out.toString();
    }

    private static void head(StringBuilder out, String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void metric(StringBuilder out, String name, String type, String help, long value) {
        head(out, name, type, help);
        out.append(name).append(' ').append(value).append('\n');
    }

    private static void byLabel(StringBuilder out, String name, String help, String label, Map<String, Long> counts) {
        head(out, name, "counter", help);
        counts.forEach((key, count) -> out.append(name)
                .append('{')
                .append(label)
                .append("=\"")
                .append(key)
                .append("\"} ")
                .append(count)
                .append('\n'));
    }
}
