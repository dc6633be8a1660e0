package dev.flotilla.testkit.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of the repository whose tests run. Its scripts are not on the class path. */
public final class RepositoryFolder {
    private RepositoryFolder() {}

    /** Finds the repository that contains the working directory. */
    public static Path find() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath()
                    + ": tests that start scripts run within the repository");
        }
        return folder;
    }
}
