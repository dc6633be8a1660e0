package dev.flotilla.nodeworker.checks;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.checks.CelExpression.CompileResult;
import dev.flotilla.nodeworker.checks.CelExpression.EvaluationResult;
import dev.flotilla.schemas.row.HealthCheck.CelProbe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Evaluates CEL expressions over objects. What it returns never contains anything of an object but its name. */
final class CelObjectCheck {
    private static final int MAX_OBJECTS = 200;
    private static final int FORBIDDEN = 403;
    private static final String SECRETS = "secrets";

    private final CelProbe wanted;
    private final UnaryOperator<String> filled;

    CelObjectCheck(CelProbe wanted, UnaryOperator<String> filled) {
        this.wanted = wanted;
        this.filled = filled;
    }

    /** Returns why the expression does not hold; null if it does. */
    @Nullable
    String findProblem(KubeApiClient api) {
        // The file's reader refuses it too; a row may have been written by something else.
        if (wanted.resource().equals(SECRETS)) {
            return "a check never reads Secrets";
        }
        return switch (CelExpression.compile(wanted)) {
            case CompileResult.NotCompiled notCompiled -> "the expression " + notCompiled.problem();
            case CompileResult.Compiled compiled ->
                wanted.objectName() == null
                        ? checkList(api, compiled.expression())
                        : checkObject(api, compiled.expression(), wanted.objectName());
        };
    }

    private @Nullable String checkObject(KubeApiClient api, CelExpression expression, String name) {
        KubeResponse response = api.get(
                KubeApiPath.objectPath(wanted.apiVersion(), wanted.namespace(), wanted.resource(), filled.apply(name)));
        if (!(response instanceof KubeResponse.SuccessResponse found)) {
            return wanted.resource() + " " + filled.apply(name) + " cannot be read: " + response.problem()
                    + (response.isForbidden() ? wayOut("get") : "");
        }
        return evaluate(expression, List.of(found.object()));
    }

    private @Nullable String checkList(KubeApiClient api, CelExpression expression) {
        List<KubeObject> objects = new ArrayList<>();
        String unread = api.forEachObject(
                KubeApiPath.listPath(wanted.apiVersion(), wanted.namespace(), wanted.resource()),
                selector(),
                MAX_OBJECTS + 1,
                objects::add);
        if (objects.size() > MAX_OBJECTS) {
            return "there are more than " + MAX_OBJECTS + " " + wanted.resource()
                    + ": select fewer by namespace or matchLabels";
        }
        if (unread != null) {
            return wanted.resource() + " cannot be listed: " + unread
                    + (unread.startsWith(FORBIDDEN + " ") ? wayOut("list") : "");
        }
        if (objects.isEmpty() && expression.seesObject()) {
            return "there are no " + wanted.resource()
                    + (wanted.labels().values().isEmpty() ? "" : " with these labels");
        }
        return evaluate(expression, objects);
    }

    private @Nullable String evaluate(CelExpression expression, List<KubeObject> objects) {
        CelValues values = new CelValues();
        List<Object> converted = new ArrayList<>();
        for (KubeObject object : objects) {
            Object value = values.convert(object.json());
            if (value == null) {
                return wanted.resource() + " " + describe(object) + ": " + values.problem();
            }
            converted.add(value);
        }
        Map<String, Object> variables = new HashMap<>();
        for (String name : List.of("site", "cluster", "machine", "node")) {
            variables.put(name, filled.apply("${" + name + "}"));
        }
        variables.put(CelExpression.OBJECTS, converted);
        if (!expression.seesObject()) {
            return failure(expression.evaluate(variables));
        }
        List<String> failed = new ArrayList<>();
        String first = null;
        for (int i = 0; i < objects.size(); i++) {
            variables.put(CelExpression.OBJECT, converted.get(i));
            String problem = failure(expression.evaluate(variables));
            if (problem != null) {
                first = first == null ? problem : first;
                failed.add(describe(objects.get(i)));
            }
        }
        return failed.isEmpty()
                ? null
                : Objects.requireNonNull(first) + " ("
                        + (objects.size() == 1 ? "" : failed.size() + " of " + objects.size() + ", such as ")
                        + wanted.resource() + " " + failed.getFirst() + ")";
    }

    private @Nullable String failure(EvaluationResult result) {
        return switch (result) {
            case EvaluationResult.Evaluated evaluated ->
                evaluated.holds() ? null : wanted.message() == null ? "the expression is not true" : wanted.message();
            case EvaluationResult.NotEvaluated notEvaluated -> notEvaluated.reason();
        };
    }

    private String selector() {
        return wanted.labels().values().isEmpty()
                ? ""
                : "&labelSelector="
                        + KubeApiPath.encodeQueryValue(wanted.labels().values().entrySet().stream()
                                .map(label -> label.getKey() + "=" + filled.apply(label.getValue()))
                                .collect(Collectors.joining(",")));
    }

    private String wayOut(String verb) {
        int slash = wanted.apiVersion().indexOf('/');
        return "; allow it in the " + (wanted.management() ? "management" : "workload") + " cluster: {apiGroups: ["
                + (slash < 0 ? "\"\"" : wanted.apiVersion().substring(0, slash)) + "], resources: ["
                + wanted.resource() + "], verbs: [" + verb
                + "]} in a ClusterRole with label flotilla.dev/aggregate-to-node-worker-checks: \"true\"";
    }

    private static String describe(KubeObject object) {
        return object.namespace().isEmpty() ? object.name() : object.namespace() + "/" + object.name();
    }
}
