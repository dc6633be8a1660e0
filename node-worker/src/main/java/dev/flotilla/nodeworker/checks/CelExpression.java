package dev.flotilla.nodeworker.checks;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelStandardFunctions;
import dev.flotilla.schemas.row.HealthCheck.CelProbe;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A compiled CEL expression of a check. Its cost is bounded: by its length, by the size of what it sees, by the iterations of its
 * macros, by regular expressions of linear time, and because texts cannot be joined.
 */
public final class CelExpression {
    static final String OBJECT = "object";
    static final String OBJECTS = "objects";

    private static final int MAX_LENGTH = 1_024;
    private static final int MAX_DEPTH = 32;
    private static final int MAX_ITERATIONS = 10_000;
    private static final CelOptions BOUNDS = CelOptions.current()
            .maxExpressionCodePointSize(MAX_LENGTH)
            .maxParseRecursionDepth(MAX_DEPTH)
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .enableHeterogeneousNumericComparisons(true)
            .build();

    private static final Pattern FIRST_ERROR = Pattern.compile("ERROR: <input>:(-?\\d+):(-?\\d+): ([^\\n]*)");

    /** Joined texts could grow without a bound. */
    private static final CelStandardDeclarations DECLARATIONS = CelStandardDeclarations.newBuilder()
            .filterFunctions((function, overload) ->
                    overload != CelStandardDeclarations.StandardFunction.Overload.Arithmetic.ADD_STRING
                            && overload != CelStandardDeclarations.StandardFunction.Overload.Arithmetic.ADD_BYTES)
            .build();

    private static final CelStandardFunctions FUNCTIONS = CelStandardFunctions.newBuilder()
            .filterFunctions((function, overload) ->
                    overload != CelStandardFunctions.StandardFunction.Overload.Arithmetic.ADD_STRING
                            && overload != CelStandardFunctions.StandardFunction.Overload.Arithmetic.ADD_BYTES)
            .build();

    private final CelRuntime.Program program;
    private final boolean seesObject;

    private CelExpression(CelRuntime.Program program, boolean seesObject) {
        this.program = program;
        this.seesObject = seesObject;
    }

    /** Result of a compilation. */
    sealed interface CompileResult {

        record Compiled(CelExpression expression) implements CompileResult {}

        /** The expression cannot be used. */
        record NotCompiled(String problem) implements CompileResult {}
    }

    /** Result of an evaluation. */
    sealed interface EvaluationResult {

        record Evaluated(boolean holds) implements EvaluationResult {}

        /** There is no result. The reason contains nothing of the objects. */
        record NotEvaluated(String reason) implements EvaluationResult {}
    }

    /** Returns why a probe's expression cannot be compiled, with the position; null if it can. */
    public static @Nullable String findProblem(CelProbe probe) {
        return compile(probe) instanceof CompileResult.NotCompiled failed ? failed.problem() : null;
    }

    /** Compiles the expression of a probe: over one object, over each of a list, or over the list alone. */
    static CompileResult compile(CelProbe probe) {
        if (probe.objectName() != null) {
            return compile(probe.expression(), true, false);
        }
        CompileResult ofList = compile(probe.expression(), false, true);
        return ofList instanceof CompileResult.Compiled ? ofList : compile(probe.expression(), true, true);
    }

    private static CompileResult compile(String expression, boolean seesObject, boolean seesObjects) {
        var builder = CelFactory.standardCelBuilder()
                .setOptions(BOUNDS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(DECLARATIONS)
                .setStandardFunctions(FUNCTIONS)
                .setResultType(SimpleType.BOOL);
        for (String text : new String[] {"site", "cluster", "machine", "node"}) {
            builder.addVar(text, SimpleType.STRING);
        }
        if (seesObject) {
            builder.addVar(OBJECT, SimpleType.DYN);
        }
        if (seesObjects) {
            builder.addVar(OBJECTS, ListType.create(SimpleType.DYN));
        }
        Cel cel = builder.build();
        CelValidationResult result = cel.compile(expression);
        if (result.hasError()) {
            return new CompileResult.NotCompiled(describe(result.getErrorString()));
        }
        try {
            CelAbstractSyntaxTree tree = result.getAst();
            return new CompileResult.Compiled(new CelExpression(cel.createProgram(tree), seesObject));
        } catch (CelValidationException | CelEvaluationException e) {
            return new CompileResult.NotCompiled(describe(String.valueOf(e.getMessage())));
        }
    }

    /** Whether it is about one object; otherwise it is about the list alone. */
    boolean seesObject() {
        return seesObject;
    }

    EvaluationResult evaluate(Map<String, Object> variables) {
        try {
            return program.eval(variables) instanceof Boolean holds
                    ? new EvaluationResult.Evaluated(holds)
                    : new EvaluationResult.NotEvaluated("the expression's result is not true or false");
        } catch (CelEvaluationException e) {
            return new EvaluationResult.NotEvaluated(
                    "the expression cannot be evaluated: " + describe(e.getErrorCode()));
        }
    }

    /** Says where the first error is. The library writes it on the first line, and the expression below. */
    private static String describe(String errors) {
        Matcher first = FIRST_ERROR.matcher(errors);
        if (!first.lookingAt()) {
            return "is no valid CEL expression";
        }
        boolean hasPosition = !first.group(1).startsWith("-");
        return "is no valid CEL expression"
                + (hasPosition ? " at line " + first.group(1) + ", column " + first.group(2) : "") + ": "
                + first.group(3);
    }

    /** The exception's own text may contain a value of the object. */
    private static String describe(CelErrorCode code) {
        return switch (code) {
            case ATTRIBUTE_NOT_FOUND -> "a field that it reads is missing; ask with has(…) first";
            case ITERATION_BUDGET_EXCEEDED -> "it needs more than " + MAX_ITERATIONS + " iterations";
            default -> code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
