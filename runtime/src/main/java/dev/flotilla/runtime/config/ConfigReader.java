package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseError;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.schemas.row.RejectionReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an application's configuration from a file and the environment.
 *
 * @param codec the codec of the application's configuration
 * @param shortNames additional environment variables of settings, besides those named after their paths
 */
public record ConfigReader<T>(JsonCodec<T> codec, Map<String, String> shortNames) {

    /** Reads the configuration from a file, if there is one, and from the environment, which overrides the file. */
    public ConfigReadResult<T> read(@Nullable Path file, Map<String, String> environment) {
        if (file == null) {
            return read(
                    "settings",
                    new ParseResult.ParsedDocument(new JsonObjectReader.Builder().build(), List.of()),
                    environment);
        }
        String name = file.toString();
        try {
            if (Files.size(file) > DocumentLimits.SPECIFICATION_BYTES) {
                return invalid(name, "has more than " + DocumentLimits.SPECIFICATION_BYTES + " bytes", null);
            }
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return read(name, YamlReader.read(text, DocumentLimits.SPECIFICATION_BYTES), environment);
        } catch (NoSuchFileException e) {
            return invalid(name, "does not exist", "name an existing file with --config FILE");
        } catch (IOException e) {
            return invalid(name, "cannot be read as UTF-8 text", "check the file and its permissions");
        }
    }

    private static <T> ConfigReadResult<T> invalid(String file, String problem, @Nullable String hint) {
        return new ConfigReadResult.InvalidConfig<>(
                List.of(new ConfigProblem(file, JsonValue.NO_LINE, "", "", problem, hint)));
    }

    private ConfigReadResult<T> read(String source, ParseResult parseResult, Map<String, String> environment) {
        EnvironmentOverrides variables =
                new EnvironmentOverrides(environment, ConfigSetting.settingsOf(codec.schema()), shortNames);
        List<ConfigProblem> all = new ArrayList<>();
        T value = null;
        switch (parseResult) {
            case ParseResult.UnparsableDocument unparsableDocument ->
                all.add(problem(source, unparsableDocument.error()));
            case ParseResult.ParsedDocument parsedDocument -> {
                ProblemCollector problems = ProblemCollector.strict();
                value = codec.read(variables.applyTo(parsedDocument.value()), problems);
                parsedDocument.errors().forEach(flaw -> all.add(problem(source, flaw)));
                problems.problems().forEach(found -> all.add(problem(source, found, variables)));
            }
        }
        // Sorted by line; the problems of one line keep their order.
        all.sort(Comparator.comparingInt(ConfigProblem::line));
        all.addAll(variables.unknownVariables());
        return value == null || !all.isEmpty()
                ? new ConfigReadResult.InvalidConfig<>(all)
                : new ConfigReadResult.ValidConfig<>(value, ConfigRedactor.redact(codec, value));
    }

    private static ConfigProblem problem(String source, ParseError why) {
        return new ConfigProblem(source, why.line(), why.path(), "", why.problem(), null);
    }

    private static ConfigProblem problem(
            String source, ProblemCollector.LocatedProblem found, EnvironmentOverrides variables) {
        RejectionDetail why = found.rejection();
        String variable = variables.variableOf(why.path());
        String missing = why.reason() == RejectionReason.MISSING_FIELD ? variables.variableFor(why.path()) : null;
        return new ConfigProblem(
                variable == null ? source : "environment variable " + variable,
                found.line(),
                why.path(),
                why.value(),
                missing == null ? why.problem() : why.problem() + " as " + missing + " or in the file",
                why.hint());
    }
}
