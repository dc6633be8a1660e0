package dev.flotilla.testkit.sso;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OAuth2ProxyBinaryTest {
    @TempDir
    Path cache;

    @Test
    void isTheOneOfTheBuildScript() throws Exception {
        Process script =
                new ProcessBuilder(Path.of("sso/build").toAbsolutePath().toString(), "--where").start();
        String folder = script.inputReader().readLine();
        assertThat(script.waitFor()).isZero();
        assertThat(folder).endsWith("/flotilla/sso/oauth2-proxy-" + OAuth2ProxyBinary.VERSION);

        Path program = cache.resolve("flotilla/sso/oauth2-proxy-" + OAuth2ProxyBinary.VERSION + "/oauth2-proxy");
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", cache.toString());
        assertThat(OAuth2ProxyBinary.find(environment)).isEmpty();
        Files.createDirectories(program.getParent());
        Files.createFile(program);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(OAuth2ProxyBinary.find(environment)).contains(new OAuth2ProxyBinary(program));
    }

    @Test
    void reportsThatItIsMissingAndFailsIfItIsRequired() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(OAuth2ProxyBinary.present(Map.of("XDG_CACHE_HOME", cache.toString()), new PrintStream(output)))
                .isFalse();

        assertThat(output).hasToString(OAuth2ProxyBinary.MISSING + System.lineSeparator());
        Map<String, String> strict = Map.of("XDG_CACHE_HOME", cache.toString(), "FLOTILLA_SSO", "required");
        assertThatThrownBy(() -> OAuth2ProxyBinary.present(strict, System.err))
                .hasMessageContaining("testkit/sso/build");
    }
}
