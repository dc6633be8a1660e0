package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CheckPlaceholders;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.Labels;
import org.jspecify.annotations.Nullable;

/** JSON codec for checks by a CEL expression. Whether the expression compiles, only the CLI and the workers can tell. */
final class CelProbeCodec {
    private static final int MAX_LABELS = 8;
    private static final int MAX_NAME = 253;
    private static final int MAX_EXPRESSION = 1_024;
    private static final int MAX_MESSAGE = 256;

    private CelProbeCodec() {}

    static JsonCodec<HealthCheck.CelProbe> codec() {
        var probe = JsonObjectCodec.<HealthCheck.CelProbe>of(
                "check-cel", "A CEL expression over objects of a cluster, which must be true.");
        var where = probe.defaulted(
                "in",
                EnumCodec.of(HealthCheckCodec.Where.class, HealthCheckCodec.Where::label),
                HealthCheckCodec.Where.WORKLOAD,
                "The cluster of the objects: the machine's own (workload) or the management cluster.",
                it -> it.management() ? HealthCheckCodec.Where.MANAGEMENT : HealthCheckCodec.Where.WORKLOAD);
        var version = probe.required(
                "apiVersion",
                HealthCheckCodec.API_VERSION_TEXT,
                "The objects' API version, such as ceph.rook.io/v1.",
                HealthCheck.CelProbe::apiVersion);
        var resource = probe.required(
                "resource",
                HealthCheckCodec.RESOURCE_TEXT,
                "The resource, in the plural, such as cephclusters. Secrets cannot be read.",
                HealthCheck.CelProbe::resource);
        var namespace = probe.optional(
                "namespace",
                IdCodecs.LABEL,
                "The namespace. Default: all namespaces, or objects without one.",
                HealthCheck.CelProbe::namespace);
        var name = probe.optional(
                "name",
                ScalarCodecs.parsed("a name", MAX_NAME, CheckPlaceholders::problemOf, text -> text, text -> text),
                "The name of one object, which may contain placeholders such as ${cluster}. Default: all objects.",
                HealthCheck.CelProbe::objectName);
        var labels = probe.omittedIfDefault(
                "matchLabels",
                SharedValueCodecs.LABELS,
                Labels.NONE,
                "Labels of the objects; the placeholders ${site}, ${namespace}, ${cluster}, ${machine} and ${node} are filled in.",
                HealthCheck.CelProbe::labels);
        var expression = probe.required(
                "expression",
                ScalarCodecs.text(1, MAX_EXPRESSION),
                "The expression. It sees object, and in a list objects as well; and site, cluster, machine and node as texts.",
                HealthCheck.CelProbe::expression);
        var message = probe.optional(
                "message",
                ScalarCodecs.text(1, MAX_MESSAGE),
                "What it means that the expression is not true.",
                HealthCheck.CelProbe::message);
        return probe.build((v, at, problems) -> {
            String problem = findProblem(v.get(version), v.get(resource), v.get(name), v.get(labels));
            if (problem != null) {
                problems.addBadValue(at, problem, null);
                return null;
            }
            return new HealthCheck.CelProbe(
                    v.get(where) == HealthCheckCodec.Where.MANAGEMENT,
                    v.get(version),
                    v.get(resource),
                    v.get(namespace),
                    v.get(name),
                    v.get(labels),
                    v.get(expression),
                    v.get(message));
        });
    }

    private static @Nullable String findProblem(String version, String resource, @Nullable String name, Labels labels) {
        if (resource.equals("secrets") && version.equals("v1")) {
            return "must not read resource \"secrets\": a check never reads Secrets. Use a condition or a status that"
                    + " says the same";
        }
        if (name != null && !labels.values().isEmpty()) {
            return "must have name or matchLabels, and not both";
        }
        if (labels.values().size() > MAX_LABELS) {
            return "has more than " + MAX_LABELS + " labels";
        }
        for (String value : labels.values().values()) {
            String problem = CheckPlaceholders.problemOf(value);
            if (problem != null) {
                return "has a label that " + problem;
            }
        }
        return null;
    }
}
