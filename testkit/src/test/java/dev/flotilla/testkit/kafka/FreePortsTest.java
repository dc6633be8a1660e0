package dev.flotilla.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreePortsTest {
    @TempDir
    private Path folder;

    @Test
    void returnsNoPortTwice() {
        FreePorts ports = new FreePorts(folder.resolve("ports"), 19_990, 19_992);

        assertThat(Set.of(ports.nextPort(), ports.nextPort())).containsExactlyInAnyOrder(19_990, 19_991);
        assertThatThrownBy(ports::nextPort).hasMessage("no free port from 19990 to 19991");
    }

    @Test
    void skipsPortsThatAnotherProcessHandedOut() throws Exception {
        Path file = folder.resolve("ports");
        try (FileChannel another = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            another.lock(19_990, 1, false);

            assertThat(new FreePorts(file, 19_990, 19_992).nextPort()).isEqualTo(19_991);
        }
    }
}
