package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.Names;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Check;
import dev.flotilla.schemas.row.CheckUrl;
import dev.flotilla.schemas.row.Checks;
import dev.flotilla.schemas.row.Expectation;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Placeholders;
import dev.flotilla.schemas.row.Role;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What must hold around calls. Bounded, since every command carries it. */
final class CheckCodec {
    private static final int MOST = 8;
    private static final Duration USUAL = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration OLDEST_BACKUP = Duration.ofDays(90);

    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_QUERY = 1_024;
    private static final Pattern API_VERSION = Pattern.compile("([a-z0-9][a-z0-9.-]*/)?v[0-9][a-z0-9]*");
    private static final Pattern RESOURCE = Pattern.compile("[a-z][a-z0-9]*");

    static final Codec<Checks> CHECKS = checks();

    /** What one that does not hold does. */
    private enum Weight {
        BLOCKING,
        ADVISORY;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a condition's objects are. */
    private enum Where {
        WORKLOAD,
        MANAGEMENT;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private CheckCodec() {}

    private static Codec<Checks> checks() {
        var checks = RecordCodec.<Checks>of("checks", "What must hold around a call. The site's worker asks.");
        var backup = checks.optional(
                "requireBackup",
                Scalars.duration(Duration.ofMinutes(1), OLDEST_BACKUP),
                "No call is made unless annotation flotilla.dev/backup-at of the Machine or its Cluster is an instant"
                        + " that is not older, such as 24h.",
                Checks::backup);
        var before = checks.<List<Check>>usual(
                "before",
                new Lists<>(check(), MOST),
                List.of(),
                "Without these no call is made: the machine waits, and they are asked again.",
                Checks::before);
        var after = checks.<List<Check>>usual(
                "after",
                new Lists<>(check(), MOST),
                List.of(),
                "What makes a success, beside the node's own proof.",
                Checks::after);
        return checks.build((v, at, problems) -> {
            Set<String> names = new HashSet<>();
            for (List<Check> list : List.of(v.get(before), v.get(after))) {
                for (Check check : list) {
                    if (!names.add(check.name())) {
                        problems.badValue(at, "has two checks with the name \"" + check.name() + "\"", null);
                        return null;
                    }
                }
            }
            return new Checks(v.get(backup), v.get(before), v.get(after));
        });
    }

    private static Codec<Check> check() {
        var check = RecordCodec.<Check>of("check", "One check: a condition, http or promql, and only one of them.");
        var name = check.required("name", Ids.LABEL, "The check's name, unique in the campaign.", Check::name);
        var condition = check.optional(
                "condition",
                condition(),
                "Objects of a cluster that bear a condition: there is one at least, and all do.",
                it -> it.probe() instanceof Check.Condition probe ? probe : null);
        var http = check.optional(
                "http",
                http(),
                "An answer over HTTP, without redirects. The site says which hosts may be asked.",
                it -> it.probe() instanceof Check.Http probe ? probe : null);
        var promql = check.optional(
                "promql",
                promql(),
                "A query of the Prometheus that the site has set.",
                it -> it.probe() instanceof Check.PromQl probe ? probe : null);
        var roles = check.<List<Role>>usual(
                "roles",
                new Lists<>(InventoryCodecs.ROLE, Role.values().length),
                List.of(),
                "The machines around whose calls it is asked: control-plane, worker; none is both.",
                Check::roles);
        var within = check.defaulted(
                "within",
                Scalars.duration(Duration.ofSeconds(1), LONGEST),
                USUAL,
                "Before a call, how long an answer may take (a minute at most); after it, how long the check is asked"
                        + " again until it holds.",
                Check::within);
        var weight = check.defaulted(
                "class",
                Choice.of(Weight.class, Weight::label),
                Weight.BLOCKING,
                "What one that does not hold does: blocking stops the call, or fails the attempt; advisory is only told.",
                it -> it.blocking() ? Weight.BLOCKING : Weight.ADVISORY);
        return check.build((v, at, problems) -> {
            Check.Condition ofObjects = v.get(condition);
            Check.Http ofService = v.get(http);
            Check.PromQl ofQuery = v.get(promql);
            int given = (ofObjects == null ? 0 : 1) + (ofService == null ? 0 : 1) + (ofQuery == null ? 0 : 1);
            Check.Probe probe = ofObjects != null ? ofObjects : ofService != null ? ofService : ofQuery;
            if (probe == null || given != 1) {
                problems.badValue(at, "must have one of condition, http and promql", null);
                return null;
            }
            return new Check(v.get(name), probe, v.get(weight) == Weight.BLOCKING, v.get(within), v.get(roles));
        });
    }

    private static Codec<Check.Condition> condition() {
        var probe = RecordCodec.<Check.Condition>of("check-condition", "Objects of a cluster that bear a condition.");
        var where = probe.defaulted(
                "in",
                Choice.of(Where.class, Where::label),
                Where.WORKLOAD,
                "Where the objects are: in the machine's own cluster (workload), or in the management cluster.",
                it -> it.management() ? Where.MANAGEMENT : Where.WORKLOAD);
        var version = probe.required(
                "apiVersion",
                Scalars.parsed(
                        "an API version",
                        LONGEST_NAME,
                        text -> API_VERSION.matcher(text).matches() ? null : "must be such as v1 or apps/v1",
                        text -> text,
                        text -> text),
                "The objects' API version, such as apps/v1.",
                Check.Condition::apiVersion);
        var resource = probe.required(
                "resource",
                Scalars.parsed(
                        "a resource",
                        Names.MAX_LABEL,
                        text -> RESOURCE.matcher(text).matches()
                                ? null
                                : "must be in lower-case letters and in the plural, such as deployments",
                        text -> text,
                        text -> text),
                "What they are, in the plural, such as deployments.",
                Check.Condition::resource);
        var namespace = probe.optional(
                "namespace",
                Ids.LABEL,
                "Where they are; without it all namespaces, or objects that have none.",
                Check.Condition::namespace);
        var labels = probe.usual(
                "matchLabels",
                Parts.LABELS,
                Labels.NONE,
                "Labels that they have; ${site}, ${namespace}, ${cluster}, ${machine} and ${node} stand for the machine's.",
                Check.Condition::labels);
        var type = probe.required(
                "type", Scalars.text(1, LONGEST_NAME), "The condition, such as Available.", Check.Condition::type);
        var status = probe.defaulted(
                "status",
                Scalars.oneOf(List.of("True", "False")),
                "True",
                "What it is to be.",
                Check.Condition::status);
        return probe.build((v, at, problems) -> {
            if (v.get(labels).values().size() > MOST) {
                problems.badValue(at, "has more than " + MOST + " labels", null);
                return null;
            }
            for (String value : v.get(labels).values().values()) {
                String problem = Placeholders.problemOf(value);
                if (problem != null) {
                    problems.badValue(at, "has a label that " + problem, null);
                    return null;
                }
            }
            return new Check.Condition(
                    v.get(where) == Where.MANAGEMENT,
                    v.get(version),
                    v.get(resource),
                    v.get(namespace),
                    v.get(labels),
                    v.get(type),
                    v.get(status));
        });
    }

    private static Codec<Check.Http> http() {
        var probe = RecordCodec.<Check.Http>of("check-http", "An answer over HTTP.");
        var url = probe.required(
                "url",
                Scalars.parsed("a URL", CheckUrl.MAX_LENGTH, CheckUrl::problemOf, text -> text, text -> text),
                "What is asked for; placeholders such as ${machine} may stand in its path and query.",
                Check.Http::url);
        var status = probe.defaulted(
                "status", Scalars.integer(100, 599), 200, "The status of the answer.", Check.Http::status);
        var contains = probe.optional(
                "contains", Scalars.text(1, LONGEST_NAME), "A text that the body contains.", Check.Http::contains);
        var pointer = probe.optional(
                "pointer",
                Scalars.parsed(
                        "a JSON pointer",
                        LONGEST_NAME,
                        text -> text.startsWith("/") ? null : "must begin with /, such as /status/database",
                        text -> text,
                        text -> text),
                "A place in a JSON body (RFC 6901).",
                Check.Http::pointer);
        var equal = probe.optional(
                "equals", Scalars.text(1, LONGEST_NAME), "What stands there, as a text.", Check.Http::equal);
        return probe.build((v, at, problems) -> {
            if ((v.get(pointer) == null) != (v.get(equal) == null)) {
                problems.badValue(at, "must have pointer and equals together", null);
                return null;
            }
            return new Check.Http(v.get(url), v.get(status), v.get(contains), v.get(pointer), v.get(equal));
        });
    }

    private static Codec<Check.PromQl> promql() {
        var probe = RecordCodec.<Check.PromQl>of("check-promql", "An instant query.");
        var query = probe.required(
                "query",
                Scalars.parsed("a query", LONGEST_QUERY, Placeholders::problemOf, text -> text, text -> text),
                "The query; placeholders such as ${node} stand for the machine's names. One that gives no value does not"
                        + " hold: end it with `or vector(0)` where none is good.",
                Check.PromQl::query);
        var expect = probe.required(
                "expect",
                Scalars.parsed(
                        "an expectation", Expectation.MAX_LENGTH, Expectation::problemOf, text -> text, text -> text),
                "How every value that it gives compares with a number, such as \"<= 0.01\".",
                Check.PromQl::expect);
        return probe.build(v -> new Check.PromQl(v.get(query), v.get(expect)));
    }
}
