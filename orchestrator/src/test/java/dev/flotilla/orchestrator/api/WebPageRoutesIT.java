package dev.flotilla.orchestrator.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.MachineMapState;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files of the web page over HTTP. */
class WebPageRoutesIT {
    private static final Pattern REFERENCE =
            Pattern.compile("(?:src|href)=\"(/[^\"]*)\"|from '(\\./[^']*)'|import '(\\./[^']*)'|url\\(([^)]*)\\)");

    private ApiTestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new ApiTestServer();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** The page and all files that it refers to, directly or not, by path. */
    private Map<String, HttpResponse<String>> readAllFiles() throws Exception {
        Map<String, HttpResponse<String>> found = new LinkedHashMap<>();
        Deque<String> pending = new ArrayDeque<>();
        pending.add("/");
        while (!pending.isEmpty()) {
            String path = pending.remove();
            HttpResponse<String> response = server.send(path);
            found.put(path, response);
            REFERENCE
                    .matcher(response.body())
                    .results()
                    .map(WebPageRoutesIT::referredPath)
                    .forEach(next -> {
                        if (!found.containsKey(next) && !pending.contains(next)) {
                            pending.add(next);
                        }
                    });
        }
        return found;
    }

    private static String referredPath(MatchResult match) {
        for (int group = 1; group <= match.groupCount(); group++) {
            if (match.group(group) != null) {
                return match.group(group).replaceFirst("^\\./", "/page/");
            }
        }
        throw new IllegalStateException(match.group());
    }

    @Test
    void servesAllReferencedFilesWithTheirContentType() throws Exception {
        Map<String, HttpResponse<String>> files = readAllFiles();
        assertThat(files).containsKeys("/", "/page/style.css", "/page/main.js", "/page/map.js", "/page/icon.svg");
        files.forEach((path, response) -> {
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            String type = path.equals("/")
                    ? "text/html"
                    : path.endsWith(".js") ? "text/javascript" : path.endsWith(".css") ? "text/css" : "image/svg+xml";
            assertThat(response.headers().firstValue("content-type").orElse(""))
                    .as(path)
                    .startsWith(type);
        });
    }

    @Test
    void setsAStrictContentSecurityPolicy() throws Exception {
        readAllFiles()
                .forEach((path, response) -> assertThat(response.headers()
                                .firstValue("content-security-policy")
                                .orElse(""))
                        .as(path)
                        .contains(
                                "default-src 'none'",
                                "script-src 'self'",
                                "connect-src 'self'",
                                "frame-ancestors 'none'",
                                "require-trusted-types-for 'script'")
                        .doesNotContain("unsafe", "http", "*"));
    }

    @Test
    void filesHaveNoExternalReferencesOrInlineCode() throws Exception {
        readAllFiles()
                .forEach((path, response) -> assertThat(response.body().replace("http://www.w3.org/2000/svg", ""))
                        .as(path)
                        .doesNotContain(
                                "http:",
                                "https:",
                                "src=\"//",
                                "@import",
                                "<script>",
                                "style=\"",
                                "innerHTML =",
                                "eval("));
        assertThat(server.send("/").body()).doesNotContain("onclick").contains("<html lang=");
    }

    @Test
    void totalSizeIsSmall() throws Exception {
        assertThat(readAllFiles().values().stream()
                        .mapToInt(response -> response.body().length())
                        .sum())
                .isLessThan(64 * 1024);
    }

    @Test
    void everyGateAndConditionHasALabel() throws Exception {
        String labels = server.send("/page/labels.js").body();
        for (GateLabel gate : GateLabel.values()) {
            assertThat(labels).contains("'" + gate.label() + "': ");
        }
        String style = server.send("/page/style.css").body();
        for (MachineMapState machineMapState : MachineMapState.values()) {
            assertThat(labels).contains("'" + machineMapState.label() + "': ");
            assertThat(style.split("--" + machineMapState.label() + ": ", -1))
                    .as("%s has a colour in light and in dark", machineMapState)
                    .hasSize(3);
        }
    }

    @Test
    void servesThePageButNoDataWithoutAToken(@TempDir Path folder) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "a-token-of-some-length\n");
        ApiTestServer tokenServer = new ApiTestServer(
                new HttpServerConfig(new HostPort("127.0.0.1", 0), null, token), ApiTestServer.EVENT_BUFFER_SIZE);
        try {
            assertThat(tokenServer.send("/").statusCode()).isEqualTo(200);
            assertThat(tokenServer.send("/page/main.js").statusCode()).isEqualTo(200);
            for (String path : new String[] {"/api/v1/fleet", "/metrics", "/page/", "/page/none.js", "/page"}) {
                assertThat(tokenServer.send(path).statusCode()).as(path).isEqualTo(401);
            }
        } finally {
            tokenServer.close();
        }
    }
}
