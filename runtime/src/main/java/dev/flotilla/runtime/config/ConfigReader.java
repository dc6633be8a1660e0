package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.Rejection;
import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.json.tree.Unreadable;
import dev.flotilla.schemas.json.tree.YamlReader;
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
 * Reads an application's configuration.
 *
 * @param codec the application's record tree
 * @param shortNames environment variables that state a setting besides the one named after its path
 */
public record ConfigReader<T>(Codec<T> codec, Map<String, String> shortNames) {

    /** The configuration that a file, if there is one, and the environment state together. */
    public ConfigRead<T> read(@Nullable Path file, Map<String, String> environment) {
        if (file == null) {
            return read("settings", new Parsed.Whole(new Obj.Builder().build(), List.of()), environment);
        }
        String name = file.toString();
        try {
            if (Files.size(file) > Bounds.SPECIFICATION_BYTES) {
                return bad(name, "has more than " + Bounds.SPECIFICATION_BYTES + " bytes", null);
            }
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return read(name, YamlReader.read(text, Bounds.SPECIFICATION_BYTES), environment);
        } catch (NoSuchFileException e) {
            return bad(name, "does not exist", "name another with --config FILE");
        } catch (IOException e) {
            return bad(name, "cannot be read as UTF-8 text", "check the file and its permissions");
        }
    }

    private static <T> ConfigRead<T> bad(String file, String problem, @Nullable String hint) {
        return new ConfigRead.Bad<>(List.of(new ConfigProblem(file, Tree.NO_LINE, "", "", problem, hint)));
    }

    private ConfigRead<T> read(String source, Parsed parsed, Map<String, String> environment) {
        Environment variables = new Environment(environment, Setting.of(codec.schema()), shortNames);
        List<ConfigProblem> all = new ArrayList<>();
        T value = null;
        switch (parsed) {
            case Parsed.Broken broken -> all.add(problem(source, broken.why()));
            case Parsed.Whole whole -> {
                Problems problems = Problems.strict();
                value = codec.read(variables.over(whole.tree()), problems);
                whole.flaws().forEach(flaw -> all.add(problem(source, flaw)));
                problems.found().forEach(found -> all.add(problem(source, found, variables)));
            }
        }
        // By line, as an editor shows them; those of one line stay as they were found.
        all.sort(Comparator.comparingInt(ConfigProblem::line));
        all.addAll(variables.unknown());
        return value == null || !all.isEmpty()
                ? new ConfigRead.Bad<>(all)
                : new ConfigRead.Good<>(value, Redacted.show(codec, value));
    }

    private static ConfigProblem problem(String source, Unreadable why) {
        return new ConfigProblem(source, why.line(), why.path(), "", why.problem(), null);
    }

    private static ConfigProblem problem(String source, Problems.Found found, Environment variables) {
        Rejection why = found.rejection();
        String variable = variables.source(why.path());
        return new ConfigProblem(
                variable == null ? source : "environment variable " + variable,
                found.line(),
                why.path(),
                why.value(),
                why.problem(),
                why.hint());
    }
}
