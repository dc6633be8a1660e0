package dev.flotilla.campaigncontroller.counts;

import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.runtime.http.BearerTokenFile;
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
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
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
    /** Of more campaigns that wait, only the first ones say where. */
    private static final int MAX_WAITING = 50;

    private static final int MAX_PAGE = 8 * 1024 * 1024;
    private static final int MAX_TEXT = 200;
    private static final int OK = 200;
    private static final String RUNNING = "running";

    private final Vertx vertx;
    private final OrchestratorApiConfig config;

    MachineCountsReader(Vertx vertx, OrchestratorApiConfig config) {
        this.vertx = vertx;
        this.config = config;
    }

    /**
     * Returns the counts by the names of campaigns.
     *
     * @param before those of the reading before: where machines wait stays as it was until they are all counted again
     */
    SortedMap<String, MachineCounts> read(SortedMap<String, MachineCounts> before)
            throws IOException, InterruptedException {
        HttpClientOptions options = new HttpClientOptions().setMaxRedirects(0);
        if (config.caFile() != null) {
            // It may have been replaced, so it is read each time.
            options.setTrustOptions(
                    new PemTrustOptions().addCertPath(config.caFile().toString()));
        }
        HttpClient client = vertx.createHttpClient(options);
        try {
            String token = readToken();
            SortedMap<String, MachineCounts> counts = new TreeMap<>();
            List<String> idle = new ArrayList<>();
            readPages(client, token, counts, idle);
            idle.forEach(name -> counts.computeIfPresent(name, (campaign, known) -> known.waitingAs(before.get(name))));
            addWaiting(client, token, counts, idle);
            return counts;
        } finally {
            client.close();
        }
    }

    private @Nullable String readToken() throws IOException {
        if (config.tokenFile() == null) {
            return null;
        }
        try {
            return BearerTokenFile.read(config.tokenFile());
        } catch (BearerTokenFile.InvalidTokenException e) {
            throw new IOException("orchestrator.tokenFile " + e.getMessage(), e);
        }
    }

    /**
     * Reads all campaigns.
     *
     * @param idle receives the names of those that run and have nothing in flight
     */
    private void readPages(
            HttpClient client, @Nullable String token, SortedMap<String, MachineCounts> counts, List<String> idle)
            throws IOException, InterruptedException {
        String after = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            KubeObject answer =
                    get(client, token, after == null ? "" : "?after=" + KubeApiPath.encodeQueryValue(after));
            for (KubeObject campaign : answer.list("campaigns")) {
                add(counts, idle, campaign);
            }
            after = answer.text("nextCursor");
            if (after == null) {
                return;
            }
        }
        throw new IOException("the orchestrator has more than " + MAX_PAGES + " pages of campaigns");
    }

    private static void add(SortedMap<String, MachineCounts> counts, List<String> idle, KubeObject campaign) {
        String name = campaign.text("campaign");
        Long uid = campaign.number("uid");
        Long machines = campaign.number("machines");
        Long remaining = campaign.number("remaining");
        Long inFlight = campaign.number("inFlight");
        if (name != null && uid != null && machines != null && remaining != null && inFlight != null) {
            counts.put(
                    name,
                    new MachineCounts(uid, machines, remaining, inFlight, minute(campaign.text("expectedEndAt")), ""));
            if (inFlight == 0 && remaining > 0 && RUNNING.equals(campaign.text("state"))) {
                idle.add(name);
            }
        }
    }

    /** Asks where the machines of campaigns wait. The counts are good without it. */
    private void addWaiting(
            HttpClient client, @Nullable String token, SortedMap<String, MachineCounts> counts, List<String> idle)
            throws InterruptedException {
        try {
            for (String name : idle.subList(0, Math.min(idle.size(), MAX_WAITING))) {
                String waiting = largestGate(get(client, token, "/" + KubeApiPath.encodeQueryValue(name)));
                if (!waiting.isEmpty()) {
                    counts.computeIfPresent(name, (campaign, known) -> known.withWaiting(waiting));
                }
            }
        } catch (IOException unanswered) {
            // Such as a campaign that was deleted after the list was read. The next reading asks again.
            return;
        }
    }

    private static String largestGate(KubeObject campaign) {
        KubeObject gates = campaign.object("gates");
        String waiting = "";
        long most = 0;
        for (KubeObject gate : gates.bool("complete") ? gates.list("counts") : List.<KubeObject>of()) {
            String name = gate.text("gate");
            Long machines = gate.number("machines");
            if (name != null && machines != null && machines > most) {
                most = machines;
                waiting = machines + (machines == 1 ? " machine waits" : " machines wait") + " at gate "
                        + RedactedText.redact(name, MAX_TEXT);
            }
        }
        return waiting;
    }

    /** An estimate to the second would change with each count. */
    private static @Nullable Instant minute(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text).truncatedTo(ChronoUnit.MINUTES);
        } catch (DateTimeParseException unknown) {
            return null;
        }
    }

    /**
     * @param rest what follows the path of the campaigns
     */
    private KubeObject get(HttpClient client, @Nullable String token, String rest)
            throws IOException, InterruptedException {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(config.campaignsUrl() + rest)
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
