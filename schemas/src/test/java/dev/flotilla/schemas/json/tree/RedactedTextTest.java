package dev.flotilla.schemas.json.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactedTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"/etc/flotilla/token", "./kubeconfig", "~/.kube/config", "admin.conf"})
    void showsThePathOfASecretFile(String path) {
        assertThat(RedactedText.redact("kubernetes.kubeconfigFile", text(path))).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hunter2",
                "abcdef.0123456789abcdef",
                "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl",
                "c2Vj/cmV0Lg==",
                "/apiVersion: v1"
            })
    void masksASecretThatIsGivenInsteadOfAPath(String secret) {
        assertThat(RedactedText.redact("server.tokenFile", text(secret))).isEqualTo("***");
        assertThat(RedactedText.redact(
                        "server",
                        new JsonObjectReader.Builder()
                                .put("tokenFile", text(secret))
                                .build()))
                .isEqualTo("{tokenFile: ***}");
    }

    private static JsonValue text(String value) {
        return new JsonValue.JsonString(value, JsonValue.NO_LINE);
    }
}
