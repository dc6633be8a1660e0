package dev.flotilla.cli.file;

import dev.flotilla.schemas.json.file.FileReadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Files that are to be applied together: all of them, or none.
 *
 * @param values what they state, in their order; fewer than files where there are problems
 * @param problems everything that is wrong with any of them
 */
public record ManifestFiles<T>(List<T> values, List<String> problems) {
    public ManifestFiles {
        values = List.copyOf(values);
        problems = List.copyOf(problems);
    }

    public static <T> ManifestFiles<T> read(List<String> files, Function<String, FileReadResult<T>> reader) {
        List<T> values = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String file : files) {
            switch (TextFileResult.read(file)) {
                case TextFileResult.UnreadableFile unreadableFile -> problems.add(unreadableFile.problem());
                case TextFileResult.FileText fileText -> {
                    switch (reader.apply(fileText.text())) {
                        case FileReadResult.ValidFile<T> validFile -> values.add(validFile.value());
                        case FileReadResult.InvalidFile<T> invalidFile ->
                            problems.addAll(FileProblemFormatter.lines(file, invalidFile.problems()));
                    }
                }
            }
        }
        return new ManifestFiles<>(values, problems);
    }
}
