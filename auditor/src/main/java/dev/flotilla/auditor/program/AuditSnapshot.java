package dev.flotilla.auditor.program;

import dev.flotilla.auditor.check.AuditFindings;
import dev.flotilla.auditor.check.AuditInvariant;
import dev.flotilla.auditor.check.InvariantViolation;
import dev.flotilla.auditor.check.JournalAudit;
import dev.flotilla.auditor.json.JsonTextWriter;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A snapshot of the audit, for readers on other threads. */
public record AuditSnapshot(
        long seq,
        long decisions,
        SortedMap<String, Long> checks,
        SortedMap<String, Long> violated,
        List<InvariantViolation> violations,
        SortedMap<String, Long> unverified,
        int inFlight,
        int maxInFlight,
        long lag,
        boolean caughtUp,
        List<String> blockedPartitions,
        List<String> unfinished) {

    /** Takes a snapshot; called on the audit's own thread. */
    static AuditSnapshot takeSnapshot(
            JournalAudit journalAudit,
            long lag,
            boolean caughtUp,
            List<String> blockedPartitions,
            List<String> unfinished) {
        AuditFindings auditFindings = journalAudit.findings();
        SortedMap<String, Long> checks = new TreeMap<>();
        SortedMap<String, Long> violated = new TreeMap<>();
        for (AuditInvariant auditInvariant : AuditInvariant.values()) {
            checks.put(auditInvariant.label(), auditFindings.checks(auditInvariant));
            violated.put(auditInvariant.label(), auditFindings.violated(auditInvariant));
        }
        return new AuditSnapshot(
                journalAudit.seq(),
                journalAudit.decisions(),
                checks,
                violated,
                auditFindings.violations(),
                auditFindings.unverified(),
                journalAudit.inFlight(),
                journalAudit.maxInFlight(),
                lag,
                caughtUp,
                blockedPartitions,
                unfinished);
    }

    long countViolations() {
        return violated.values().stream().mapToLong(Long::longValue).sum();
    }

    String json() {
        JsonTextWriter out = new JsonTextWriter().begin('{');
        out.name("seq").plain(seq).name("decisions").plain(decisions);
        counts(out.name("checks"), checks);
        out.name("violationCount").plain(countViolations()).name("violations").begin('[');
        for (InvariantViolation invariantViolation : violations) {
            out.begin('{')
                    .name("invariant")
                    .text(invariantViolation.invariant().label())
                    .name("at")
                    .text(invariantViolation.at().toString())
                    .name("seq")
                    .plain(invariantViolation.seq())
                    .name("detail")
                    .text(invariantViolation.detail())
                    .end('}');
        }
        out.end(']');
        counts(out.name("unverified"), unverified);
        out.name("inFlight").plain(inFlight).name("maxInFlight").plain(maxInFlight);
        out.name("lagRecords").plain(lag).name("caughtUp").plain(caughtUp);
        out.name("blockedPartitions").begin('[');
        blockedPartitions.forEach(out::text);
        out.end(']');
        out.name("unfinished").begin('[');
        unfinished.forEach(out::text);
        return out.end(']').end('}').toString();
    }

    private static void counts(JsonTextWriter out, Map<String, Long> counts) {
        out.begin('{');
        counts.forEach((name, count) -> out.name(name).plain(count));
        out.end('}');
    }

    /** The counts in Prometheus' text format. */
    public String metrics() {
        StringBuilder out = new StringBuilder();
        head(
                out,
                "flotilla_build_info",
                "gauge",
                "Always 1. Its label has the version of the process, with its commit.");
        out.append("flotilla_build_info{application=\"auditor\",version=\"")
                .append(AuditorVersion.NUMBER)
                .append("\"} 1\n");
        metric(out, "flotilla_audit_seq", "gauge", "The newest decision that was read.", seq);
        metric(out, "flotilla_audit_decisions_total", "counter", "Decisions that were checked.", decisions);
        metric(out, "flotilla_audit_lag_records", "gauge", "Records that are still to be read.", lag);
        metric(
                out,
                "flotilla_audit_blocked_partitions",
                "gauge",
                "Partitions that an open transaction blocks: later records are not audited yet.",
                blockedPartitions.size());
        metric(out, "flotilla_audit_in_flight", "gauge", "Machines in flight, by the auditor's own count.", inFlight);
        metric(out, "flotilla_audit_in_flight_max", "gauge", "The most machines in flight so far.", maxInFlight);
        byLabel(out, "flotilla_audit_checks_total", "Checks, by invariant.", "invariant", checks);
        metric(
                out,
                "flotilla_audit_violated_invariants",
                "gauge",
                "Invariants of which this auditor has found a violation. Must be 0.",
                violated.values().stream().filter(count -> count > 0).count());
        byLabel(out, "flotilla_audit_violations_total", "Violations, by invariant.", "invariant", violated);
        byLabel(
                out,
                "flotilla_audit_unverified_total",
                "Records and decisions that could not be verified, by reason.",
                "reason",
                unverified);
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
