package dev.flotilla.campaigncontroller.counts;

import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the counts of all campaigns from an orchestrator. */
final class MachineCountsReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_PAGES = 1_000;
    private static final int MAX_PAGE = 8 * 1024 * 1024;
    private static final int MAX_TEXT = 200;
    private static final int OK = 200;

    private final Vertx vertx;
    private final OrchestratorApiConfig config;

    MachineCountsReader(Vertx vertx, OrchestratorApiConfig config) {
        this.vertx = vertx;
        this.config = config;
    }

    /** Returns the counts by the names of campaigns. */
    SortedMap<String, MachineCounts> read() throws IOException, InterruptedException {
        HttpClientOptions options = new HttpClientOptions().setMaxRedirects(0);
        if (config.caFile() != null) {
            // It may have been replaced, so it is read each time.
            options.setTrustOptions(
                    new PemTrustOptions().addCertPath(config.caFile().toString()));
        }
        HttpClient client = vertx.createHttpClient(options);
        try {
            return readPages(client, readToken());
        } finally {
            client.close();
        }
    }

    private @Nullable String readToken() throws IOException {
        if (config.tokenFile() == null) {
            return null;
        }
        String token = Files.readString(config.tokenFile()).strip();
        if (!token.chars().allMatch(character -> character >= ' ' && character <= '~')) {
            throw new IOException("orchestrator.tokenFile must contain one line of ASCII characters");
        }
        return token;
    }

    private SortedMap<String, MachineCounts> readPages(HttpClient client, @Nullable String token)
            throws IOException, InterruptedException {
        SortedMap<String, MachineCounts> counts = new TreeMap<>();
        String after = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            KubeObject answer = get(client, token, after);
            for (KubeObject campaign : answer.list("campaigns")) {
                add(counts, campaign);
            }
            after = answer.text("nextCursor");
            if (after == null) {
                return counts;
            }
        }
        throw new IOException("the orchestrator has more than " + MAX_PAGES + " pages of campaigns");
    }

    private static void add(SortedMap<String, MachineCounts> counts, KubeObject campaign) {
        String name = campaign.text("campaign");
        Long uid = campaign.number("uid");
        Long machines = campaign.number("machines");
        Long remaining = campaign.number("remaining");
        Long inFlight = campaign.number("inFlight");
        if (name != null && uid != null && machines != null && remaining != null && inFlight != null) {
            counts.put(
                    name,
                    new MachineCounts(uid, machines, remaining, inFlight, minute(campaign.text("expectedEndAt"))));
        }
    }

    /** An estimate to the second would change with each count. */
    private static @Nullable Instant minute(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text).truncatedTo(ChronoUnit.MINUTES);
        } catch (DateTimeParseException unknown) {
            return null;
        }
    }

    private KubeObject get(HttpClient client, @Nullable String token, @Nullable String after)
            throws IOException, InterruptedException {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(
                        config.campaignsUrl() + (after == null ? "" : "?after=" + KubeApiPath.encodeQueryValue(after)))
                .setTimeout(TIMEOUT.toMillis())
                .setFollowRedirects(false);
        if (token != null) {
            options.putHeader("Authorization", "Bearer " + token);
        }
        Promise<Buffer> body = Promise.promise();
        // In the context of the connection: elsewhere a fast answer could be over before its body is asked for.
        vertx.runOnContext(begin -> client.request(options)
                .compose(request -> request.send()
                        .compose(response -> response.statusCode() == OK
                                ? response.body()
                                : Future.failedFuture("it answers with status " + response.statusCode())))
                .onComplete(body));
        try {
            KubeObject answer = KubeObject.parseBody(
                    body.future()
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                            .getBytes(),
                    MAX_PAGE,
                    MAX_PAGE);
            if (answer == null) {
                throw new IOException("its answer is no JSON object of at most " + MAX_PAGE + " bytes");
            }
            return answer;
        } catch (ExecutionException e) {
            throw new IOException(RedactedText.redact(RootCauseMessage.describe(e), MAX_TEXT));
        } catch (TimeoutException e) {
            throw new IOException("it did not answer within " + TIMEOUT.toSeconds() + " s");
        }
    }
}
