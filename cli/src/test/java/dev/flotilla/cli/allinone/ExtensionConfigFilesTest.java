package dev.flotilla.cli.allinone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtensionConfigFilesTest {
    @TempDir
    private Path folder;

    @Test
    void anAddressThatOthersReachHasATokenThatStays() throws IOException {
        Path config = new ExtensionConfigFiles(folder).write(HostPort.parse("0.0.0.0:9445"), "uncovered: stop\n");
        Path token = folder.resolve("cluster-api-extension.token");
        String first = Files.readString(token);
        assertThat(first).matches("[0-9a-f]{48}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
        assertThat(config).content().contains("tokenFile: " + token);
        new ExtensionConfigFiles(folder).write(HostPort.parse("0.0.0.0:9445"), "uncovered: stop\n");
        assertThat(token).hasContent(first);
    }

    @Test
    void anEmptyTokenFileIsFilled() throws IOException {
        Path token = Files.createFile(folder.resolve("cluster-api-extension.token"));
        new ExtensionConfigFiles(folder).write(HostPort.parse("0.0.0.0:9445"), "uncovered: stop\n");
        assertThat(token).content().matches("[0-9a-f]{48}");
    }

    @Test
    void theLoopbackNeedsNone() throws IOException {
        Path config = new ExtensionConfigFiles(folder).write(HostPort.parse("127.0.0.1:9445"), "uncovered: stop\n");
        assertThat(config).hasContent("settingsFile: " + folder.resolve("cluster-api-settings.yaml"));
        assertThat(folder.resolve("cluster-api-settings.yaml")).hasContent("uncovered: stop");
    }
}
