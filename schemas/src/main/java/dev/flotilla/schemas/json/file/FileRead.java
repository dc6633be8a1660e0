package dev.flotilla.schemas.json.file;

import java.util.List;

/** What came of reading a file. */
public sealed interface FileRead<T> {

    /** The file is as it should be. */
    record Good<T>(T value) implements FileRead<T> {}

    /** Everything that is wrong with it, by line. */
    record Bad<T>(List<FileProblem> problems) implements FileRead<T> {
        public Bad {
            problems = List.copyOf(problems);
        }
    }
}
