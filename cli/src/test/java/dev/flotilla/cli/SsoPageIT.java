package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.sso.OAuth2ProxyBinary;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page behind single sign-on: a real oauth2-proxy with the configuration of docs/users.md, in front of a real orchestrator with TLS and
 * a token. The identity provider is a stand-in, and the test is the browser.
 */
@Tag("nightly")
@EnabledIf(value = OAuth2ProxyBinary.PRESENT, disabledReason = OAuth2ProxyBinary.MISSING)
class SsoPageIT {
    private static final String TOKEN = "token-of-the-orchestrator";
    private static final String CLIENT_SECRET = "secret-of-the-client";
    private static final String CALLBACK = "https://flotilla.example/oauth2/callback";
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir
    private static Path folder;

    private static KafkaFleetFixture fleet;
    private static TestIdentityProvider provider;
    private static Process proxy;
    private static URI address;
    private static HttpClient browser;

    @BeforeAll
    static void start() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create("orchestrators");
        authority.issue("orchestrator").writeSeparateFiles(folder);
        fleet = new KafkaFleetFixture();
        assertThat(fleet.run("site add east").exit()).isZero();
        fleet.startOrchestratorWithApi(new HttpServerConfig(
                new HostPort("127.0.0.1", 0),
                new ServerTlsConfig(folder.resolve("orchestrator.crt"), folder.resolve("orchestrator.key"), null),
                Files.writeString(folder.resolve("token"), TOKEN)));
        fleet.publishInventory("east", 2);
        fleet.until("machine list", result -> result.out().contains("k1-w-1"));
        provider = new TestIdentityProvider("flotilla", CLIENT_SECRET);
        Files.writeString(folder.resolve("ca.crt"), authority.certificate());
        Files.writeString(folder.resolve("authorization"), "Bearer " + TOKEN);
        Files.writeString(folder.resolve("client-secret"), CLIENT_SECRET);
        Files.writeString(folder.resolve("cookie-secret"), "0123456789abcdef0123456789abcdef");
        int port = FreePorts.next();
        address = URI.create("http://127.0.0.1:" + port);
        write("proxy.cfg", Map.of());
        write(
                "alpha.yaml",
                Map.of(
                        "0.0.0.0:4180", "127.0.0.1:" + port,
                        "https://flotilla-orchestrator.flotilla.svc",
                                fleet.api().toString().replaceFirst("/$", ""),
                        "https://login.example/realms/ops", provider.issuer()));
        assertThat(run(arguments("--config-test")).waitFor()).as(output()).isZero();
        proxy = run(arguments());
        browser = HttpClient.newHttpClient();
        awaitReady();
    }

    @AfterAll
    static void stop() {
        browser.close();
        proxy.destroy();
        provider.close();
        fleet.close();
    }

    /** Writes a file of the ConfigMap in docs/users.md, with the addresses of this test. */
    private static void write(String name, Map<String, String> addresses) throws IOException {
        String page = Files.readString(CliResult.ROOT.resolve("docs/users.md"));
        assertThat(page).contains("oauth2-proxy:v" + OAuth2ProxyBinary.VERSION);
        String text = page.lines()
                .dropWhile(line -> !line.equals("     " + name + ": |"))
                .skip(1)
                .takeWhile(line -> line.startsWith("       "))
                .map(line -> line.substring(7))
                .collect(Collectors.joining("\n"));
        assertThat(text).isNotBlank();
        text = text.replace("/etc/sso/secret/", folder + "/");
        for (Map.Entry<String, String> replaced : addresses.entrySet()) {
            assertThat(text).contains(replaced.getKey());
            text = text.replace(replaced.getKey(), replaced.getValue());
        }
        Files.writeString(folder.resolve(name), text + "\n");
    }

    private static List<String> arguments(String... more) {
        List<String> line = new ArrayList<>(List.of(
                OAuth2ProxyBinary.find().orElseThrow().program().toString(),
                "--config=" + folder.resolve("proxy.cfg"),
                "--alpha-config=" + folder.resolve("alpha.yaml")));
        line.addAll(List.of(more));
        return line;
    }

    private static Process run(List<String> line) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("proxy.log").toFile()));
        builder.environment().put("SSL_CERT_FILE", folder.resolve("ca.crt").toString());
        return builder.start();
    }

    private static String output() throws IOException {
        return Files.readString(folder.resolve("proxy.log"));
    }

    private static void awaitReady() throws Exception {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                if (get("/ready", null).statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                assertThat(proxy.isAlive()).as(output()).isTrue();
            }
            assertThat(System.nanoTime()).as(output()).isLessThan(until);
        }
    }

    private static HttpResponse<String> get(String path, @Nullable String cookies, String... headers)
            throws IOException, InterruptedException {
        return browser.send(request(path, cookies, headers), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(String path, @Nullable String cookies, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address + path)).header("X-Forwarded-Proto", "https");
        if (cookies != null) {
            request.header("Cookie", cookies);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.build();
    }

    /** Logs in as a browser does. Returns the answer to the callback. */
    private static HttpResponse<String> logIn(String email, String group) throws Exception {
        HttpResponse<String> begin = get("/", null);
        assertThat(begin.statusCode()).as(output()).isEqualTo(302);
        URI login = URI.create(begin.headers().firstValue("Location").orElseThrow());
        assertThat(login.toString()).startsWith(provider.issuer() + "/authorize?");
        Map<String, String> asked = TestIdentityProvider.fields(login.getRawQuery());
        assertThat(asked).containsEntry("client_id", "flotilla").containsEntry("redirect_uri", CALLBACK);
        String code = provider.logIn(asked.getOrDefault("nonce", ""), email, group);
        return get(
                "/oauth2/callback?code=" + code + "&state="
                        + URLEncoder.encode(asked.getOrDefault("state", ""), StandardCharsets.UTF_8),
                cookies(begin));
    }

    private static String cookies(HttpResponse<?> answer) {
        return answer.headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .collect(Collectors.joining("; "));
    }

    private static String loggedIn() throws Exception {
        HttpResponse<String> back = logIn("ada@example.org", "flotilla-readers");
        assertThat(back.statusCode()).as(back.body() + output()).isEqualTo(302);
        assertThat(back.headers().allValues("Set-Cookie"))
                .allMatch(cookie -> cookie.contains("Secure") && cookie.contains("HttpOnly"));
        return cookies(back);
    }

    @Test
    void nobodySeesAnythingWithoutALogin() throws Exception {
        assertThat(get("/", null).statusCode()).isEqualTo(302);
        assertThat(get("/api/v1/fleet", null).statusCode()).isEqualTo(302);
        assertThat(get("/api/v1/fleet", null, "Accept", "application/json").statusCode())
                .isEqualTo(401);
        assertThat(get("/api/v1/fleet", "_oauth2_proxy=forged").statusCode()).isEqualTo(302);
        assertThat(get("/api/v1/fleet", null, "Authorization", "Bearer " + TOKEN)
                        .statusCode())
                .as("the token is the proxy's alone")
                .isEqualTo(302);
    }

    @Test
    void aReaderSeesThePageAndTheApi() throws Exception {
        String cookies = loggedIn();

        assertThat(get("/", cookies).body()).contains("<html");
        assertThat(get("/api/v1/fleet", cookies).body()).contains("\"replicaRole\"");
        HttpResponse<String> replaced = get("/api/v1/fleet", cookies, "Authorization", "Bearer something else");
        assertThat(replaced.statusCode()).as("what a browser sends is replaced").isEqualTo(200);
        assertThat(replaced.headers().map().toString() + replaced.body()).doesNotContain(TOKEN);
        assertThat(get("/api/v1/machines/east%2Ffleet%2Fk1-w-1", cookies).body())
                .contains("\"machine\":\"east/fleet/k1-w-1\"");
    }

    @Test
    void somebodyOfAnotherGroupIsRefused() throws Exception {
        HttpResponse<String> back = logIn("eve@example.org", "others");

        assertThat(back.statusCode()).as(back.body()).isEqualTo(403);
        assertThat(get("/api/v1/fleet", cookies(back)).statusCode()).isNotEqualTo(200);
    }

    /** A proxy that waited for the end of the answer would never answer. */
    @Test
    void theStreamOfEventsIsOpened() throws Exception {
        HttpResponse<InputStream> stream = browser.sendAsync(
                        request("/api/v1/events", loggedIn()), HttpResponse.BodyHandlers.ofInputStream())
                .get(1, TimeUnit.MINUTES);
        try (InputStream open = stream.body()) {
            assertThat(stream.statusCode()).isEqualTo(200);
            assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(open).isNotNull();
        }
    }
}
