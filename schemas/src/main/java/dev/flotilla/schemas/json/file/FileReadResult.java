package dev.flotilla.schemas.json.file;

import java.util.List;

/** What came of reading a file. */
public sealed interface FileReadResult<T> {

    /** The file is as it should be. */
    record ValidFile<T>(T value) implements FileReadResult<T> {}

    /** Everything that is wrong with it, by line. */
    record InvalidFile<T>(List<FileProblem> problems) implements FileReadResult<T> {
        public InvalidFile {
            problems = List.copyOf(problems);
        }
    }
}
