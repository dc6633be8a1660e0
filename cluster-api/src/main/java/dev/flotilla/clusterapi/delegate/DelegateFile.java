package dev.flotilla.clusterapi.delegate;

import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the file with the delegates. */
public final class DelegateFile {
    private DelegateFile() {}

    /**
     * Reads it.
     *
     * @throws IOException with all problems of the file
     */
    public static List<UpdateDelegate> read(Path file) throws IOException {
        return switch (new ConfigReader<>(UpdateDelegate.fileCodec(), Map.of()).read(file, Map.of())) {
            case ConfigReadResult.InvalidConfig<List<UpdateDelegate>> invalid ->
                throw new IOException("delegatesFile: " + invalid.report());
            case ConfigReadResult.ValidConfig<List<UpdateDelegate>> valid -> {
                Set<String> names = new HashSet<>();
                for (UpdateDelegate delegate : valid.value()) {
                    if (!names.add(delegate.name())) {
                        throw new IOException(
                                "delegatesFile: " + file + ": two delegates have the name " + delegate.name());
                    }
                }
                yield valid.value();
            }
        };
    }
}
