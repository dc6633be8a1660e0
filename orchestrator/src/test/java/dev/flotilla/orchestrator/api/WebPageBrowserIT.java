package dev.flotilla.orchestrator.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.testkit.browser.BrowserTab;
import dev.flotilla.testkit.browser.Chromium;
import dev.flotilla.testkit.browser.Viewport;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Tests the web page in a real browser. */
@EnabledIf(value = Chromium.PRESENT, disabledReason = Chromium.MISSING)
class WebPageBrowserIT {
    private static final AttemptReport AT_TARGET =
            new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3100", "v1.33.1");
    private static final int EVENT_BUFFER_SIZE = 4_096;
    private static final String TOO_WIDE_ELEMENTS = "[...document.querySelectorAll('body *')]"
            + ".filter(each => each.getBoundingClientRect().right > innerWidth)"
            + ".map(each => each.tagName + '#' + each.id + '.' + each.className).join()";
    private static Chromium chromium;

    private ApiTestServer server;
    private @Nullable BrowserTab tab;

    @BeforeAll
    static void openBrowser() throws Exception {
        chromium = Chromium.start();
    }

    @AfterAll
    static void closeBrowser() throws Exception {
        chromium.close();
    }

    @BeforeEach
    void start() throws Exception {
        server = startServer(0, null);
        server.fleet.addSite("north");
        server.fleet.addSite("south");
        for (int i = 0; i < 6; i++) {
            server.fleet.addCluster(i % 2 == 0 ? "north" : "south", "k" + i, 3, 7);
        }
    }

    /** Errors in the browser's console fail every test. */
    @AfterEach
    void stop() throws Exception {
        if (tab != null) {
            assertThat(tab.consoleErrors()).isEmpty();
        }
        server.close();
    }

    private static ApiTestServer startServer(int port, @Nullable Path token) throws Exception {
        ApiTestServer server = new ApiTestServer(
                new HttpServerConfig(new HostPort("127.0.0.1", port), null, token), EVENT_BUFFER_SIZE);
        server.fleet.decisionListener = decision -> server.eventBuffer.publish(
                decision.seq(),
                decision.at(),
                decision.event().label(),
                String.valueOf(decision.subject()),
                decision.reason());
        return server;
    }

    private BrowserTab open(String path, Viewport viewport) {
        BrowserTab opened = chromium.open(server.httpServer.uri() + path, viewport);
        tab = opened;
        return opened;
    }

    private static final String WRAPPED_TABLE_HEADS =
            "[...document.querySelectorAll('th')].filter(th => th.offsetHeight > 2 *"
                    + " parseFloat(getComputedStyle(th).fontSize) + 12).length";

    /** A script that reads the number of machines in a condition from the map's legend. */
    private static String legendCount(String condition) {
        return "document.querySelector('.swatch." + condition + "')?.parentElement.querySelector('strong').innerText";
    }

    @Test
    void showsTotalsCampaignsSitesAndGates() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 30);
        BrowserTab page = open("/", Viewport.DESK);
        page.awaitText("#connection", "Connected to the leader.");
        assertThat(page.read("#figures")).contains("machines", "60", "in flight", "of at most 6");
        assertThat(page.read("#campaigns"))
                .contains("k8s-1-33", "running", "0 of 60 machines", "failure budget: ", "of 30 left", "all");
        assertThat(page.read("#gates")).contains("cap-fleet", "the fleet's cap is reached", "54");
        assertThat(page.read("#sites")).contains("north", "south", "heartbeats on time");
        assertThat(page.evaluate(legendCount("in-flight"))).isEqualTo("6");
        assertThat(page.evaluate(legendCount("waiting"))).isEqualTo("54");
        page.await("document.querySelectorAll('#events li').length > 0");
        assertThat(page.read("#events"))
                .contains("attempt-admitted", "north/default/k0-cp-0")
                .containsPattern("\\d\\d:\\d\\d:\\d\\d UTC");
        assertThat(page.evaluate(WRAPPED_TABLE_HEADS))
                .as("table heads that wrap")
                .isEqualTo("0");
        assertThat(page.requests())
                .isNotEmpty()
                .allSatisfy(url -> assertThat(url).startsWith(server.httpServer.uri() + "/"));
    }

    @Test
    void updatesWithoutReload() throws Exception {
        BrowserTab page = open("/", Viewport.DESK);
        page.await(legendCount("not-targeted") + " === '60'");
        page.evaluate("window.marker = 'once'");
        server.fleet.runOnOwnerThread(() -> server.fleet.addCampaign("k8s-1-33", 30));
        page.awaitText("#campaigns", "k8s-1-33");
        page.await(legendCount("in-flight") + " === '6'");
        server.fleet.runOnOwnerThread(() -> server.fleet.report(6, AT_TARGET));
        page.await(legendCount("succeeded") + " === '6'");
        page.awaitText("#events", "attempt-succeeded");
        server.fleet.runOnOwnerThread(() -> server.fleet.acceptRecord(new UpgradePolicy(
                FleetScope.FLEET, new CountOrPercent.Percent(10), null, true, "a storm comes", null, null, null)));
        page.awaitText("#warnings", "a storm comes");
        assertThat(page.evaluate("window.marker")).isEqualTo("once");
    }

    @Test
    void reconnectsToAnotherReplica() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 30);
        BrowserTab page = open("/", Viewport.DESK);
        page.awaitText("#connection", "Connected to the leader.");
        page.evaluate("window.marker = 'once'");
        int port = server.httpServer.port();
        server.close();
        page.awaitText("#connection", "Not connected");
        assertThat(page.read("#campaigns")).as("the last data stays visible").contains("k8s-1-33");

        server = startServer(port, null);
        server.fleet.addSite("north");
        server.fleet.addCluster("north", "k0", 3, 7);
        server.fleet.replicaRole = ReplicaRole.STANDBY;
        page.awaitText("#connection", "Connected to a standby");
        page.await(legendCount("not-targeted") + " === '10'");
        server.fleet.replicaRole = ReplicaRole.LEADER;
        server.fleet.runOnOwnerThread(() -> server.fleet.addCampaign("k8s-1-34", 30));
        page.awaitText("#connection", "Connected to the leader.");
        page.awaitText("#campaigns", "k8s-1-34");
        page.awaitText("#events", "attempt-admitted");
        assertThat(page.evaluate("window.marker")).isEqualTo("once");
    }

    @Test
    void navigatesFromMapToMachineByKeyboard() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 30);
        BrowserTab page = open("/", Viewport.DESK);
        page.await(legendCount("waiting") + " === '54'");
        page.evaluate("document.getElementById('map').focus()");
        assertThat(page.read("#map-description")).startsWith("north/default/k0: 10 machines");
        page.press("ArrowRight");
        assertThat(page.read("#map-description")).startsWith("north/default/k2: 10 machines");
        page.press("Enter");
        page.awaitText("#detail", "Cluster north/default/k2");
        page.awaitText("#detail table", "k2-w-0");
        page.press("Tab");
        page.press("Tab");
        assertThat(page.evaluate("document.activeElement.innerText")).isEqualTo("k2-cp-0");
        page.press("Enter");
        page.awaitText("#detail h2", "Machine north/default/k2-cp-0");
        page.awaitText("#detail", "Why it is in this state");
    }

    @Test
    void showsAMachinesEventsAndExplanation() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 30);
        String hostile = "<img src=x onerror=document.title='broken'>";
        server.fleet.report(1, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, hostile));
        BrowserTab page = open("/#/machine/north/default/k0-cp-0", Viewport.DESK);
        page.awaitText("#detail h2", "Machine north/default/k0-cp-0");
        assertThat(page.read("#detail"))
                .contains(
                        "quarantined",
                        "Last failure",
                        "refresh-error",
                        hostile,
                        "campaign k8s-1-33",
                        "attempt-admitted");
        assertThat(page.evaluate("document.title")).isEqualTo("Flotilla");
        page.evaluate("location.hash = '#/machine/north/default/k0-w-0'");
        page.awaitText("#detail h2", "k0-w-0");
        assertThat(page.read("#detail"))
                .contains("waiting for campaign k8s-1-33", "cluster-order", "Actual", "Required");
        page.evaluate("location.hash = '#/machine/north/default/none'");
        page.awaitText("#detail", "There is no machine north/default/none.");
        page.evaluate("location.hash = '#/nodes/north/default/k0-w-0'");
        page.awaitText("#detail", "There is no such page.");
        assertThat(page.read("#detail")).contains("#/machine/<site>/<namespace>/<name>");
    }

    @Test
    void listsTheMachinesInAStateAndThoseWithAPartOfAName() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 30);
        server.fleet.report(
                1, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no space"));
        BrowserTab page = open("/", Viewport.DESK);
        page.await(legendCount("quarantined") + " === '1'");
        page.evaluate("document.querySelector('.swatch.quarantined').parentElement.querySelector('a').click()");
        page.awaitText("#detail h2", "Machines: quarantined");
        assertThat(page.read("#detail"))
                .contains("1 machine.", "Last failures: refresh-error 1.", "north/default/k0-cp-0");
        page.evaluate("location.hash = '#/machines/in-flight'");
        page.awaitText("#detail h2", "Machines: in flight");
        page.await("document.querySelectorAll('#detail tbody tr').length === 5");
        assertThat(page.read("#detail")).contains("admitted", "campaign k8s-1-33", "In flight for");
        page.evaluate("document.getElementById('machine').focus()");
        page.type("k3-w");
        page.press("Enter");
        page.awaitText("#detail h2", "Machines named …k3-w…");
        page.await("document.querySelectorAll('#detail tbody tr').length === 7");
        page.evaluate("location.hash = '#/machines/flying'");
        page.awaitText("#detail", "state \"flying\"");
    }

    @Test
    void promptsForTheTokenAndKeepsItForTheTab(@TempDir Path folder) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "a-token-of-some-length\n");
        server.close();
        server = startServer(0, token);
        BrowserTab page = open("/", Viewport.DESK);
        page.await("document.getElementById('sign-in').open");
        page.type("a-wrong-token-of-the-same-length");
        page.press("Enter");
        page.awaitText("#sign-in", "The orchestrator did not accept that token.");
        page.type("a-token-of-some-length");
        page.press("Enter");
        page.awaitText("#connection", "Connected to the leader.");
        server.fleet.runOnOwnerThread(() -> server.fleet.addSite("north"));
        page.awaitText("#sites", "north");
        page.evaluate("location.reload()");
        page.awaitText("#connection", "Connected to the leader.");
        assertThat(page.evaluate("document.getElementById('sign-in').open")).isEqualTo("false");
        assertThat(page.evaluate("localStorage.length + document.cookie")).isEqualTo("0");
    }

    @Test
    void fitsAPhoneScreen() throws Exception {
        server.fleet.addCampaign("k8s-1-33", 30);
        for (String path : new String[] {
            "/", "/#/cluster/north/default/k0", "/#/machine/north/default/k0-w-0", "/#/machines/waiting"
        }) {
            BrowserTab page = open(path, Viewport.PHONE);
            page.await("document.body.dataset.shown");
            assertThat(page.evaluate("document.documentElement.scrollWidth"))
                    .as("%s, too wide: %s", path, page.evaluate(TOO_WIDE_ELEMENTS))
                    .isEqualTo(Integer.toString(Viewport.PHONE.width()));
        }
    }

    @Test
    void drawsThirtyThousandMachinesAndUpdatesThem() throws Exception {
        for (int site = 0; site < 10; site++) {
            server.fleet.addSite("site-" + site);
            for (int cluster = 0; cluster < 300; cluster++) {
                ClusterKey key = new ClusterKey(new SiteId("site-" + site), "default", "c" + cluster);
                for (int i = 0; i < 10; i++) {
                    server.fleet.addMachine(key, "c" + cluster + "-" + i, MachineRole.WORKER, null);
                }
            }
        }
        BrowserTab page = open("/", Viewport.DESK);
        page.await(legendCount("not-targeted") + " === '30,060'");
        assertThat(page.evaluate("document.getElementById('map').clientHeight").length())
                .as("digits of the map's height")
                .isLessThanOrEqualTo(4);
        assertThat(page.evaluate("document.querySelectorAll('#map *, #legend *').length"))
                .as("cells are not elements")
                .hasSizeLessThan(3);
        takeScreenshot(page, "page-large");
        server.fleet.runOnOwnerThread(() -> server.fleet.addCampaign("k8s-1-33", 30));
        page.await("Number(" + legendCount("in-flight") + ") > 0");
        assertThat(page.evaluate("document.body.dataset.shown")).isNotEmpty();
    }

    /** With {@code -Dflotilla.rewrite=true} this test takes the screenshots of the documents again. */
    @Test
    void showsAFleetDuringItsUpgrade() throws Exception {
        for (int i = 0; i < 54; i++) {
            server.fleet.addSite("east");
            server.fleet.addCluster(i % 3 == 0 ? "north" : i % 3 == 1 ? "south" : "east", "m" + i, 3, 7);
        }
        server.fleet.addCampaign("k8s-1-33", 40);
        for (int round = 0; round < 5; round++) {
            server.fleet.report(55, AT_TARGET);
        }
        server.fleet.report(
                2, new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no space left"));
        server.fleet.report(1, new AttemptReport.OutcomeUnknown("the node does not answer"));
        BrowserTab page = open("/", Viewport.DESK);
        page.awaitText("#campaigns", "expected to end about");
        for (String condition : new String[] {"quarantined", "unknown", "in-flight", "waiting", "succeeded"}) {
            page.await("Number(" + legendCount(condition) + ") > 0");
        }
        page.await("document.querySelectorAll('#events li').length > 20");
        takeScreenshot(page, "page");
        page.setViewport(Viewport.DESK_AT_NIGHT);
        takeScreenshot(page, "page-dark");
        takeScreenshot(open("/", Viewport.PHONE), "page-phone");
        takeScreenshot(open("/#/machine/north/default/k0-cp-0", Viewport.DESK), "page-machine");
        takeScreenshot(open("/#/machines/in-flight", Viewport.DESK), "page-machines");
    }

    private static void takeScreenshot(BrowserTab page, String name) throws Exception {
        if (Boolean.getBoolean("flotilla.rewrite")) {
            page.await("document.body.dataset.shown");
            page.takeScreenshot(Path.of("../docs/images", name + ".png"));
        }
    }

    @Test
    void usesDarkColoursInDarkMode() throws Exception {
        BrowserTab page = open("/", Viewport.DESK_AT_NIGHT);
        page.await(legendCount("not-targeted") + " === '60'");
        String dark = page.evaluate("getComputedStyle(document.body).backgroundColor");
        server.fleet.runOnOwnerThread(() -> server.fleet.addCampaign("k8s-1-33", 30));
        page.await(legendCount("in-flight") + " === '6'");
        page.setViewport(Viewport.DESK);
        assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isNotEqualTo(dark);
        page.await("[...document.getElementById('map').getContext('2d').getImageData(0, 0, 40, 16).data]"
                + ".some((value, at) => at % 4 === 3 && value > 0)");
    }
}
