package dev.flotilla.cli.file;

import dev.flotilla.schemas.json.file.FileReadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Files that are applied together: all or none.
 *
 * @param values parsed values, in the order of the files; fewer than files if there are problems
 * @param problems problems of all files
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
