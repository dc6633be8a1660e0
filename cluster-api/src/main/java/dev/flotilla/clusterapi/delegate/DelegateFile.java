package dev.flotilla.clusterapi.delegate;

import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.schemas.json.codec.JsonCodec;
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
        return read(file, ConfigCodecs.FILE);
    }

    /**
     * Reads it on another machine than that of the extension: the files with CAs need not exist there.
     *
     * @throws IOException with all problems of the file
     */
    public static List<UpdateDelegate> readRemotely(Path file) throws IOException {
        return read(file, ConfigCodecs.REMOTE_FILE);
    }

    private static List<UpdateDelegate> read(Path file, JsonCodec<Path> caFile) throws IOException {
        return switch (new ConfigReader<>(UpdateDelegate.fileCodec(caFile), Map.of()).read(file, Map.of())) {
            case ConfigReadResult.InvalidConfig<List<UpdateDelegate>> invalid ->
                throw new IOException(invalid.report());
            case ConfigReadResult.ValidConfig<List<UpdateDelegate>> valid -> {
                Set<String> names = new HashSet<>();
                for (UpdateDelegate delegate : valid.value()) {
                    if (!names.add(delegate.name())) {
                        throw new IOException(file + ": two delegates have the name " + delegate.name());
                    }
                }
                yield valid.value();
            }
        };
    }
}
