package dev.flotilla.nodeworker.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.checks.CelExpression.CompileResult;
import dev.flotilla.nodeworker.checks.CelExpression.EvaluationResult;
import dev.flotilla.schemas.row.HealthCheck.CelProbe;
import dev.flotilla.schemas.row.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelExpressionTest {
    private static final String OBJECT = """
            {"metadata": {"name": "a"}, "spec": {"count": 3, "share": 0.5, "none": null, "key": "hunter2"},
             "status": {"ready": 3, "phase": "Ready", "conditions": [{"type": "Ready", "status": "True"}]}}
            """;

    private static CelProbe probe(@Nullable String name, String expression) {
        return new CelProbe(false, "v1", "pods", null, name, Labels.NONE, expression, null);
    }

    private static EvaluationResult evaluate(String expression) {
        return evaluate(expression, 1);
    }

    private static EvaluationResult evaluate(String expression, int objects) {
        assertThat(CelExpression.compile(probe("a", expression)))
                .as(expression)
                .isInstanceOf(CompileResult.Compiled.class);
        return evaluate(((CompileResult.Compiled) CelExpression.compile(probe("a", expression))).expression(), objects);
    }

    private static EvaluationResult evaluate(CelExpression expression, int objects) {
        List<Object> all = new ArrayList<>();
        Object value = new CelValues()
                .convert(Objects.requireNonNull(KubeObject.parse(OBJECT)).json());
        for (int i = 0; i < objects; i++) {
            all.add(Objects.requireNonNull(value));
        }
        Map<String, Object> variables = new HashMap<>();
        variables.put("node", "n-1");
        variables.put(CelExpression.OBJECT, all.get(0));
        variables.put(CelExpression.OBJECTS, all);
        return expression.evaluate(variables);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "object.status.ready == object.spec.count | true",
                "object.status.phase == 'Pending' | false",
                "object.spec.share > 0 && object.spec.share < 1 | true",
                "object.spec.none == null | true",
                "!has(object.status.missing) | true",
                "object.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True') | true",
                "node == 'n-1' | true",
                "object.status.phase.matches('^R.*y$') | true",
            })
    void seesTheObjectAndTheNamesOfTheMachine(String expression, boolean holds) {
        assertThat(evaluate(expression)).isEqualTo(new EvaluationResult.Evaluated(holds));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "object.x == | is no valid CEL expression at line 1, column 12: mismatched input",
                "objct.x == 1 | is no valid CEL expression at line 1, column 1: undeclared reference to 'objct'",
                "1 + 1 | is no valid CEL expression at line 1, column 3: expected type 'bool' but found 'int'",
                "objects.size() > 0 | column 1: undeclared reference to 'objects'",
                "object.a + 'x' == 'yx' && 'a' + 'b' == 'ab' | found no matching overload for '_+_'",
            })
    void whatDoesNotCompileHasAPosition(String expression, String problem) {
        assertThat(CelExpression.findProblem(probe("a", expression))).contains(problem);
    }

    @Test
    void anExpressionIsBoundedInLengthAndDepth() {
        assertThat(CelExpression.findProblem(probe("a", "true" + " || true".repeat(200))))
                .contains("expression code point size exceeds limit");
        assertThat(CelExpression.findProblem(probe("a", "(".repeat(100) + "true" + ")".repeat(100))))
                .contains("recursion");
    }

    @Test
    void aListIsSeenAsAWholeOrObjectByObject() {
        assertThat(CelExpression.findProblem(probe(null, "objects.size() > 0"))).isNull();
        assertThat(((CompileResult.Compiled) CelExpression.compile(probe(null, "objects.all(o, has(o.spec))")))
                        .expression()
                        .seesObject())
                .isFalse();
        assertThat(((CompileResult.Compiled)
                                CelExpression.compile(probe(null, "has(object.spec) || objects.size() > 1")))
                        .expression()
                        .seesObject())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "object.status.missing == 1 | the expression cannot be evaluated: a field that it reads is missing;"
                        + " ask with has(…) first",
                "object[object.spec.key] == 1 | the expression cannot be evaluated: a field that it reads is missing;"
                        + " ask with has(…) first",
                "int(object.spec.key) == 1 | the expression cannot be evaluated: bad format",
                "object.spec.key + object.spec.key == '' | the expression cannot be evaluated: overload not found",
                "object.status.phase | the expression's result is not true or false",
            })
    void aFailedEvaluationShowsNothingOfTheObject(String expression, String reason) {
        assertThat(evaluate(expression)).isEqualTo(new EvaluationResult.NotEvaluated(reason));
    }

    @Test
    void iterationsAreBounded() {
        CelExpression cubic = ((CompileResult.Compiled)
                        CelExpression.compile(probe(null, "objects.all(a, objects.all(b, objects.all(c, true)))")))
                .expression();
        assertThat(evaluate(cubic, 10)).isEqualTo(new EvaluationResult.Evaluated(true));
        assertThat(evaluate(cubic, 50))
                .isEqualTo(new EvaluationResult.NotEvaluated(
                        "the expression cannot be evaluated: it needs more than 10000 iterations"));
    }
}
