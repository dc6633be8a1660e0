package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.CheckPlaceholders;
import dev.flotilla.schemas.row.CheckUrlValidator;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.ThresholdExpressionValidator;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** JSON codecs for health checks. Their size is bounded, because every command contains them. */
final class HealthCheckCodec {
    private static final int MAX_CHECKS = 8;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration MAX_BACKUP_AGE = Duration.ofDays(90);

    private static final int MAX_NAME = 256;
    private static final int MAX_QUERY = 1_024;
    private static final Pattern API_VERSION = Pattern.compile("([a-z0-9][a-z0-9.-]*/)?v[0-9][a-z0-9]*");
    private static final Pattern RESOURCE = Pattern.compile("[a-z][a-z0-9]*");

    static final JsonCodec<String> API_VERSION_TEXT = ScalarCodecs.parsed(
            "an API version",
            MAX_NAME,
            text -> API_VERSION.matcher(text).matches() ? null : "must be such as v1 or apps/v1",
            text -> text,
            text -> text);
    static final JsonCodec<String> RESOURCE_TEXT = ScalarCodecs.parsed(
            "a resource",
            NameValidator.MAX_LABEL,
            text -> RESOURCE.matcher(text).matches()
                    ? null
                    : "must be in lower-case letters and in the plural, such as deployments",
            text -> text,
            text -> text);

    static final JsonCodec<CampaignChecks> CHECKS = checks();

    /** What happens when a check does not hold. */
    private enum Severity {
        BLOCKING,
        ADVISORY;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The cluster of a condition's objects. */
    enum Where {
        WORKLOAD,
        MANAGEMENT;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private HealthCheckCodec() {}

    private static JsonCodec<CampaignChecks> checks() {
        var checks = JsonObjectCodec.<CampaignChecks>of(
                "checks", "Checks before and after a call. The site's worker runs them.");
        var backup = checks.optional(
                "requireBackup",
                ScalarCodecs.duration(Duration.ofMinutes(1), MAX_BACKUP_AGE),
                "The maximum age of the last backup, such as 24h: no call is made if annotation flotilla.dev/backup-at of"
                        + " the Machine or its Cluster is older or missing.",
                CampaignChecks::maxBackupAge);
        var before = checks.<List<HealthCheck>>omittedIfDefault(
                "before",
                new ListCodec<>(check("timeout", "The timeout of one request, at most a minute."), MAX_CHECKS),
                List.of(),
                "Checks before the call: while one does not hold, the machine waits and the checks are repeated.",
                CampaignChecks::beforeCall);
        var after = checks.<List<HealthCheck>>omittedIfDefault(
                "after",
                new ListCodec<>(check("retryFor", "How long the check is repeated until it holds."), MAX_CHECKS),
                List.of(),
                "Checks after the call: the attempt succeeds only if they hold as well.",
                CampaignChecks::afterCall);
        return checks.build((v, at, problems) -> {
            Set<String> names = new HashSet<>();
            for (List<HealthCheck> list : List.of(v.get(before), v.get(after))) {
                for (HealthCheck check : list) {
                    if (!names.add(check.name())) {
                        problems.addBadValue(
                                at,
                                "has two checks with the name \"" + check.name() + "\"; names must be unique",
                                null);
                        return null;
                    }
                }
            }
            return new CampaignChecks(v.get(backup), v.get(before), v.get(after));
        });
    }

    private static JsonCodec<HealthCheck> check(String timeField, String timeText) {
        var check = JsonObjectCodec.<HealthCheck>of(
                "check", "One check. Give exactly one of condition, cel, http and promql.");
        var name =
                check.required("name", IdCodecs.LABEL, "The check's name, unique in the campaign.", HealthCheck::name);
        var condition = check.optional(
                "condition",
                condition(),
                "Objects of a cluster that must all have a condition; there must be at least one.",
                it -> it.probe() instanceof HealthCheck.ObjectConditionProbe probe ? probe : null);
        var cel = check.optional(
                "cel",
                CelProbeCodec.codec(),
                "A CEL expression over objects of a cluster, which must be true.",
                it -> it.probe() instanceof HealthCheck.CelProbe probe ? probe : null);
        var http = check.optional(
                "http",
                http(),
                "An HTTP request and its expected response; redirects are not followed. The site's worker allows certain hosts only.",
                it -> it.probe() instanceof HealthCheck.HttpProbe probe ? probe : null);
        var promql = check.optional(
                "promql",
                promql(),
                "A query of the Prometheus server that the site's worker is configured with.",
                it -> it.probe() instanceof HealthCheck.PromQlProbe probe ? probe : null);
        var roles = check.<List<MachineRole>>omittedIfDefault(
                "roles",
                new ListCodec<>(InventoryRowCodecs.ROLE, MachineRole.values().length),
                List.of(),
                "The roles of the machines that it applies to: control-plane, worker. Default: both.",
                HealthCheck::roles);
        var timeout = check.defaulted(
                timeField,
                ScalarCodecs.duration(Duration.ofSeconds(1), MAX_TIMEOUT),
                DEFAULT_TIMEOUT,
                timeText,
                HealthCheck::timeout);
        var severity = check.defaulted(
                "severity",
                EnumCodec.of(Severity.class, Severity::label),
                Severity.BLOCKING,
                "What happens if it does not hold: blocking prevents the call or fails the attempt; advisory is only reported.",
                it -> it.blocking() ? Severity.BLOCKING : Severity.ADVISORY);
        return check.build((v, at, problems) -> {
            List<HealthCheck.CheckProbe> given = Stream.<HealthCheck.@Nullable CheckProbe>of(
                            v.get(condition), v.get(cel), v.get(http), v.get(promql))
                    .flatMap(Stream::ofNullable)
                    .toList();
            if (given.size() != 1) {
                problems.addBadValue(at, "must have exactly one of condition, cel, http and promql", null);
                return null;
            }
            return new HealthCheck(
                    v.get(name), given.getFirst(), v.get(severity) == Severity.BLOCKING, v.get(timeout), v.get(roles));
        });
    }

    private static JsonCodec<HealthCheck.ObjectConditionProbe> condition() {
        var probe = JsonObjectCodec.<HealthCheck.ObjectConditionProbe>of(
                "check-condition", "A condition of objects in a cluster.");
        var where = probe.defaulted(
                "in",
                EnumCodec.of(Where.class, Where::label),
                Where.WORKLOAD,
                "The cluster of the objects: the machine's own (workload) or the management cluster.",
                it -> it.management() ? Where.MANAGEMENT : Where.WORKLOAD);
        var version = probe.required(
                "apiVersion",
                API_VERSION_TEXT,
                "The objects' API version, such as apps/v1.",
                HealthCheck.ObjectConditionProbe::apiVersion);
        var resource = probe.required(
                "resource",
                RESOURCE_TEXT,
                "The resource, in the plural, such as deployments.",
                HealthCheck.ObjectConditionProbe::resource);
        var namespace = probe.optional(
                "namespace",
                IdCodecs.LABEL,
                "The namespace. Default: all namespaces, or objects without one.",
                HealthCheck.ObjectConditionProbe::namespace);
        var labels = probe.omittedIfDefault(
                "matchLabels",
                SharedValueCodecs.LABELS,
                Labels.NONE,
                "Labels of the objects; the placeholders ${site}, ${namespace}, ${cluster}, ${machine} and ${node} are filled in.",
                HealthCheck.ObjectConditionProbe::labels);
        var type = probe.required(
                "type",
                ScalarCodecs.text(1, MAX_NAME),
                "The condition, such as Available.",
                HealthCheck.ObjectConditionProbe::type);
        var status = probe.defaulted(
                "status",
                ScalarCodecs.oneOf(List.of("True", "False")),
                "True",
                "The required status of the condition.",
                HealthCheck.ObjectConditionProbe::status);
        return probe.build((v, at, problems) -> {
            if (v.get(labels).values().size() > MAX_CHECKS) {
                problems.addBadValue(at, "has more than " + MAX_CHECKS + " labels", null);
                return null;
            }
            for (String value : v.get(labels).values().values()) {
                String problem = CheckPlaceholders.problemOf(value);
                if (problem != null) {
                    problems.addBadValue(at, "has a label that " + problem, null);
                    return null;
                }
            }
            return new HealthCheck.ObjectConditionProbe(
                    v.get(where) == Where.MANAGEMENT,
                    v.get(version),
                    v.get(resource),
                    v.get(namespace),
                    v.get(labels),
                    v.get(type),
                    v.get(status));
        });
    }

    private static JsonCodec<HealthCheck.HttpProbe> http() {
        var probe =
                JsonObjectCodec.<HealthCheck.HttpProbe>of("check-http", "An HTTP request and its expected response.");
        var url = probe.required(
                "url",
                ScalarCodecs.parsed(
                        "a URL",
                        CheckUrlValidator.MAX_LENGTH,
                        CheckUrlValidator::problemOf,
                        text -> text,
                        text -> text),
                "The URL; its path and query may contain placeholders such as ${machine}.",
                HealthCheck.HttpProbe::url);
        var status = probe.defaulted(
                "status",
                ScalarCodecs.integer(100, 599),
                200,
                "The expected status code.",
                HealthCheck.HttpProbe::status);
        var contains = probe.optional(
                "contains",
                ScalarCodecs.text(1, MAX_NAME),
                "A text that the body must contain.",
                HealthCheck.HttpProbe::contains);
        var pointer = probe.optional(
                "pointer",
                ScalarCodecs.parsed(
                        "a JSON pointer",
                        MAX_NAME,
                        text -> text.startsWith("/") ? null : "must begin with /, such as /status/database",
                        text -> text,
                        text -> text),
                "A JSON pointer (RFC 6901) into the body.",
                HealthCheck.HttpProbe::pointer);
        var equal = probe.optional(
                "equals",
                ScalarCodecs.text(1, MAX_NAME),
                "The expected value at the pointer, as text.",
                HealthCheck.HttpProbe::equal);
        return probe.build((v, at, problems) -> {
            if ((v.get(pointer) == null) != (v.get(equal) == null)) {
                problems.addBadValue(at, "must have pointer and equals together", null);
                return null;
            }
            return new HealthCheck.HttpProbe(v.get(url), v.get(status), v.get(contains), v.get(pointer), v.get(equal));
        });
    }

    private static JsonCodec<HealthCheck.PromQlProbe> promql() {
        var probe = JsonObjectCodec.<HealthCheck.PromQlProbe>of("check-promql", "An instant query.");
        var query = probe.required(
                "query",
                ScalarCodecs.parsed("a query", MAX_QUERY, CheckPlaceholders::problemOf, text -> text, text -> text),
                "The query; placeholders such as ${node} are filled in. A query without a result does not hold: end it"
                        + " with `or vector(0)` if no result is good.",
                HealthCheck.PromQlProbe::query);
        var expect = probe.required(
                "expect",
                ScalarCodecs.parsed(
                        "an expectation",
                        ThresholdExpressionValidator.MAX_LENGTH,
                        ThresholdExpressionValidator::problemOf,
                        text -> text,
                        text -> text),
                "The comparison that every value of the result must satisfy, such as \"<= 0.01\".",
                HealthCheck.PromQlProbe::threshold);
        return probe.build(v -> new HealthCheck.PromQlProbe(v.get(query), v.get(expect)));
    }
}
