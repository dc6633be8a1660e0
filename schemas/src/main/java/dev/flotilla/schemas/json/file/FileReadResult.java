package dev.flotilla.schemas.json.file;

import java.util.List;

/** The result of reading a file. */
public sealed interface FileReadResult<T> {

    /** The file is valid. */
    record ValidFile<T>(T value) implements FileReadResult<T> {}

    /** The file is not valid; all problems are sorted by line. */
    record InvalidFile<T>(List<FileProblem> problems) implements FileReadResult<T> {
        public InvalidFile {
            problems = List.copyOf(problems);
        }
    }
}
