package dev.flotilla.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretRedactorTest {
    /** What none of the texts may show. */
    private static final String SECRET = "hunter2-Marmot";

    private static final String ENCODED =
            Base64.getEncoder().encodeToString((SECRET + " in a text that is long").getBytes(StandardCharsets.UTF_8));

    private final SecretRedactor redactor = SecretRedactor.ofUnknownSecrets();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password=hunter2-Marmot",
                "SASL_PASSWORD: hunter2-Marmot",
                "  password: hunter2-Marmot and more of it hunter2-Marmot",
                "- token: hunter2-Marmot",
                "sasl.jaas.config=org.apache.kafka.ScramLoginModule required username=\"u\" password=\"hunter2-Marmot\";",
                "sasl.jaas.config=org.apache.kafka.ScramLoginModule required username=\"u\" password=\"a\\\"hunter2-Marmot\";",
                "sasl.jaas.config=x.ScramLoginModule required password=\"hunter2-Marmot\";",
                "Cookie: a=\"hunter2-Marmot\"",
                "{\"sent\":\"Authorization: Digest a=\\\"hunter2-Marmot\\\"\",\"more\":1}",
                "{\"user\":\"u\",\"password\":\"a\\\"hunter2-Marmot\",\"more\":1}",
                "{\"message\":\"{\\\"token\\\":\\\"hunter2-Marmot\\\",\\\"a\\\":1}\"}",
                "{\"message\":\"{\\\"token\\\": \\\"a\\\\\\\"hunter2-Marmot\\\"}\"}",
                "{\"credentials\":{\"east\":{\"any\":\"hunter2-Marmot\"}},\"more\":1}",
                "tokens: [one, hunter2-Marmot]",
                "connecting to https://admin:hunter2-Marmot@east.example.org/path",
                "connecting to https://admin:pa/ss@hunter2-Marmot@east.example.org/path",
                "GET /api?access_token=hunter2-Marmot&page=2",
                "Authorization: Bearer hunter2-Marmot",
                "authorization: Digest hunter2-Marmot hunter2-Marmot",
                "> Cookie: a=hunter2-Marmot; b=hunter2-Marmot",
                "x-vault-token: hunter2-Marmot",
                "curl -H 'Authorization: Basic hunter2-Marmot' https://east",
                "the header was Bearer hunter2-Marmot, and it was refused",
                "k8s join --token hunter2-Marmot --name a",
                "--password hunter2-Marmot",
                "env: {\"name\":\"KAFKA_PASSWORD\",\"value\":\"hunter2-Marmot\"}",
                "- name: KAFKA_PASSWORD\n  value: hunter2-Marmot\n- name: X",
                "client-key-data: hunter2-Marmot",
                "\"client-certificate-data\": \"hunter2-Marmot\"",
                "userData: |\n  #cloud-config\n  - hunter2-Marmot\n\n  - hunter2-Marmot\nnext: 1",
                "secret:\n  inner:\n    any: hunter2-Marmot\nnext: 1",
                "kind: Secret\nmetadata:\n  name: a\ndata:\n  any: hunter2-Marmot\n",
                "{\"kind\":\"Secret\",\"data\":{\"any\":\"hunter2-Marmot\"}}",
                "{\"kind\":\"Secret\",\"data\":{\"value\":\"hunter2-Marmot\"}}",
                "{\"annotations\":{\"example.org/any\":\"hunter2-Marmot\"},\"more\":1}",
                "password='hunter2-Marmot",
                "sasl.password=correct horse hunter2-Marmot",
                "ssl.key.password=Ab1,Cd2;hunter2-Marmot",
                "password: 'it''s hunter2-Marmot'",
                "password: 'it''hunter2-Marmot' # more",
                "<server><password>hunter2-Marmot</password></server>",
                "cloned with glpat-hunter2-Marmot, and failed",
                "-----BEGIN PRIVATE KEY-----\nhunter2-Marmot\nhunter2-Marmot\n-----END PRIVATE KEY-----\nnext",
                "key: \"-----BEGIN EC PRIVATE KEY-----\\nhunter2-Marmot\\n-----END EC PRIVATE KEY-----\\n\"",
                "-----BEGIN RSA PRIVATE KEY-----\nhunter2-Marmot"
            })
    void masksSecrets(String text) {
        assertThat(redactor.redact(text)).doesNotContain("Marmot").contains(SecretRedactor.MASK);
    }

    @Test
    void masksTheEndOfAKeyWhoseBeginningIsMissing() {
        assertThat(redactor.redact("MIIEhunter2\nMarmot==\n-----END RSA PRIVATE KEY-----\nnext"))
                .doesNotContain("hunter2")
                .doesNotContain("Marmot")
                .endsWith("\nnext");
    }

    @Test
    void masksEncodedTextsAndTokensOfKnownForms() {
        assertThat(redactor.redact("got " + ENCODED + " back")).isEqualTo("got *** back");
        assertThat(redactor.redact("got eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl back"))
                .isEqualTo("got *** back");
        assertThat(redactor.redact("joined with abcdef.0123456789abcdef now")).isEqualTo("joined with *** now");
    }

    @Test
    void masksKnownSecretsInAnyForm() {
        SecretRedactor knowing = redactor.with(List.of("any \"words\" at/all"));
        String encoded = Base64.getEncoder().encodeToString("any \"words\" at/all".getBytes(StandardCharsets.UTF_8));

        assertThat(knowing.redact("x any \"words\" at/all y " + encoded
                        + " z any+%22words%22+at%2Fall v any \\\"words\\\" at/all"))
                .isEqualTo("x *** y *** z *** v ***");
        assertThat(redactor.with(List.of("abc")).redact("abc"))
                .as("part of any word")
                .isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-27T19:41:19Z INFO machine=east/fleet/k1-w-3 attempt=4 reason=no-report",
                "{\"journalHash\":\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"}",
                "{\"tokenFile\":\"/etc/flotilla/token/token\",\"secretName\":\"flotilla-orchestrator-token\"}",
                "flotilla_worker_kubeconfig_expiry_timestamp_seconds{site=\"east\"} 1.7E9",
                "uid 3b241101-e2bb-4255-8caf-4136c566a962, image registry.example.org/flotilla:0.1@sha256:aa11",
                "{\"token\":null,\"password\":\"\",\"more\":true}",
                "at dev.flotilla.managementwatcher.leave.SiteLeaveCleanup.runCleanup(SiteLeaveCleanup.java:12)"
            })
    void keepsWhatIsNoSecret(String text) {
        assertThat(redactor.redact(text)).isEqualTo(text);
    }

    @Test
    void keepsWhatStandsAroundASecret() {
        assertThat(redactor.redact("{\"user\":\"u\",\"password\":\"x y\",\"more\":1}"))
                .isEqualTo("{\"user\":\"u\",\"password\":\"***\",\"more\":1}");
        assertThat(redactor.redact("a\nuserData: |\n  x\n\n  y\nnext: 1")).isEqualTo("a\nuserData: |\n***\nnext: 1");
        assertThat(redactor.redact("{\"sent\":\"Authorization: Bearer x y\",\"more\":1}"))
                .isEqualTo("{\"sent\":\"Authorization: ***\",\"more\":1}");
        assertThat(redactor.redact("GET /api?access_token=x&page=2")).isEqualTo("GET /api?access_token=***&page=2");
    }

    /** A text without line ends, and one with many names, take no time out of proportion. */
    @Test
    void readsLongTexts() {
        String blob = "aB3/".repeat(500_000);
        assertThat(redactor.redact(blob)).isEqualTo(SecretRedactor.MASK);
        String open = "token=\"" + "\\\"password\\\": {".repeat(20_000);
        assertThat(redactor.redact(open)).startsWith("token=\"");
    }
}
