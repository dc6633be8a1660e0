package dev.flotilla.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestHeadersFileTest {
    @TempDir
    private Path folder;

    @Test
    void readsTheHeadersOfEachRequest() throws IOException {
        Path file = Files.writeString(folder.resolve("headers"), "Authorization: Bearer one\n\nX-Scope-OrgID: fleet\n");
        RequestHeadersFile headers = RequestHeadersFile.open(file);
        assertThat(headers.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of("Authorization", "Bearer one", "X-Scope-OrgID", "fleet"));

        Files.writeString(file, "Authorization: Bearer two\n");

        assertThat(headers.headers()).isEqualTo(Map.of("Authorization", "Bearer two"));
    }

    @Test
    void keepsTheHeadersWhileTheFileIsAwayOrNotValid() throws IOException {
        Path file = Files.writeString(folder.resolve("headers"), "Authorization: Bearer one\n");
        RequestHeadersFile headers = RequestHeadersFile.open(file);

        Files.writeString(file, "half a li");
        assertThat(headers.headers()).isEqualTo(Map.of("Authorization", "Bearer one"));
        Files.delete(file);
        assertThat(headers.headers()).isEqualTo(Map.of("Authorization", "Bearer one"));
    }

    @Test
    void refusesALineThatIsNoHeaderWithoutShowingIt() throws IOException {
        Path file = Files.writeString(folder.resolve("headers"), "X-Fine: yes\nBearer secret-token\n");

        assertThatThrownBy(() -> RequestHeadersFile.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("secret-token");
    }
}
