package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Commands of an operator's day, in order: each test continues from the one before. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FleetCommandsIT {
    @TempDir
    static Path folder;

    private static KafkaFleetFixture fleet;

    @BeforeAll
    static void startKafka() {
        fleet = new KafkaFleetFixture();
    }

    @AfterAll
    static void stopKafka() {
        fleet.close();
    }

    @Test
    @Order(1)
    void addsASiteOnceAndChecksIt() {
        CliResult before = fleet.run("fleet status");
        assertThat(before.exit()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(before.err()).contains("flotilla.head").contains("flotilla site add");

        CliResult unchecked = fleet.run("site check east");
        assertThat(unchecked.exit()).isEqualTo(ExitCode.NO);
        assertThat(unchecked.out()).contains("FAILED   topics").contains("flotilla site add east");

        CliResult added = fleet.run("site add east north");
        assertThat(added.exit()).as(added.all()).isZero();
        assertThat(added.out())
                .contains("created  flotilla.head")
                .contains("created  flotilla.commands.east")
                .contains("site north: 5 topics created, 0 already existed");

        CliResult again = fleet.run("site add east");
        assertThat(again.out())
                .contains("exists   flotilla.head")
                .contains("site east: 0 topics created, 5 already existed");

        CliResult checked = fleet.run("site check east");
        assertThat(checked.exit()).as(checked.all()).isZero();
        assertThat(checked.out())
                .contains("ok       broker")
                .contains("ok       transaction.version: 2")
                .contains("ok       settings")
                .contains("ok       replicas")
                .contains("no authorizer")
                .contains("no orchestrator has been leader yet: start one")
                .contains("unknown  management cluster: give --kubeconfig FILE");
        assertThat(fleet.run("site check east -o json").json()).contains("\"passed\":true");
        assertThat(fleet.run("site add east --apply-acls").exit()).isEqualTo(ExitCode.NO);
        String many = IntStream.range(0, TopicCatalogue.MAX_SITES - 1)
                .mapToObj(i -> "s" + i)
                .collect(Collectors.joining(" "));
        CliResult tooMany = fleet.run("site add east " + many);
        assertThat(tooMany.exit()).isEqualTo(ExitCode.NO);
        assertThat(tooMany.out()).isEmpty();
        assertThat(tooMany.err()).contains("that would make 251 sites, but at most 250 are supported");
        CliResult ungranted = fleet.run("site add east --apply-acls -o json");
        assertThat(ungranted.exit()).isEqualTo(ExitCode.NO);
        assertThat(ungranted.err()).contains("flotilla site add: the brokers at ", "have no authorizer");
        assertThat(ungranted.json())
                .startsWith(
                        "{\"added\":[{\"object\":\"thefleet\",\"result\":\"unchanged\",\"created\":[],\"existing\":[\"flotilla.")
                .contains("{\"object\":\"siteeast\",\"result\":\"unchanged\",", "\"flotilla.commands.east\"")
                .contains("\"granted\":[],\"reason\":\"thebrokersat");
        assertThat(fleet.run("fleet status").out())
                .contains("no orchestrator has been leader yet", "leader: none; no orchestrator is ready to lead");
    }

    @Test
    @Order(2)
    void reportsThatNoOrchestratorAnswers() throws IOException {
        Path policy = policy(2);

        CliResult cliResult = fleet.run("policy apply --wait 1 " + policy);

        assertThat(cliResult.exit()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(cliResult.err()).contains("no orchestrator answered within 1 s");
        assertThat(fleet.run("policy list").err()).contains("no orchestrator has decided on it yet");
        assertThat(fleet.run("policy apply --wait 0 " + policy).out()).contains("written, answer not waited for");
        CliResult silent = fleet.run("site unfreeze north --reason early --wait 1 -o json");
        assertThat(silent.exit()).as(silent.all()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(silent.err())
                .contains("flotilla site unfreeze: site north is written, but no orchestrator answered");
        assertThat(silent.json())
                .startsWith(
                        "{\"object\":\"sitenorth\",\"result\":\"silent\",\"change\":\"unfrozen\",\"reason\":\"sitenorthis");
        assertThat(fleet.run("site unfreeze north --reason early --wait 0 -o json")
                        .json())
                .isEqualTo("{\"object\":\"sitenorth\",\"result\":\"written\",\"change\":\"unfrozen\",\"reason\":null}");
    }

    @Test
    @Order(3)
    void appliesAPolicyAndACampaign() throws IOException {
        fleet.startOrchestrator();
        fleet.publishInventory("east", 4);
        fleet.until("policy list", cliResult -> cliResult.out().contains("fleet"));

        assertThat(fleet.run("policy apply " + policy(2)).out()).contains("policy fleet: unchanged");
        CliResult changed = fleet.run("policy apply " + policy(3));
        assertThat(changed.out()).contains("policy fleet: changed, accepted").contains("spec.caps.inFlight: 2 -> 3");

        Path campaign = campaign("channel=1.33-classic/stable", 50);
        CliResult planned = fleet.run("campaign plan --runs 3 " + campaign);
        assertThat(planned.exit()).as(planned.all()).isZero();
        assertThat(planned.out())
                .contains("campaign spring to channel=1.33-classic/stable: 4 machines in 1 clusters")
                .contains("needs approval; the forecast assumes it at once")
                .contains("at the median of 3 runs");
        assertThat(fleet.run("campaign plan -o json " + campaign).json())
                .contains("\"machines\":4,\"clusters\":1,", "\"doesNotFit\":[]", "\"gates\":[]");
        assertThat(fleet.run("campaign list").out()).doesNotContain("spring");
        CliResult created = fleet.run("campaign apply " + campaign);
        assertThat(created.exit()).as(created.all()).isZero();
        assertThat(created.out()).contains("campaign spring: created, accepted");
        CliResult unchanged = fleet.run("campaign apply -o json " + campaign);
        assertThat(unchanged.exit()).isZero();
        assertThat(unchanged.json()).contains("\"result\":\"unchanged\"");
        assertThat(fleet.run("campaign apply " + campaign("channel=1.33-classic/stable", 60))
                        .out())
                .contains("spec.priority: 50 -> 60");
    }

    @Test
    @Order(4)
    void rejectsAChangeOfTheTargetWithAReason() throws IOException {
        CliResult refused = fleet.run("campaign apply " + campaign("channel=1.34-classic/stable", 60));

        assertThat(refused.exit()).isEqualTo(ExitCode.NO);
        assertThat(refused.err())
                .contains("rejected")
                .contains("spec.target.option")
                .contains("cannot change");
        CliResult planned = fleet.run("campaign plan " + campaign("channel=1.34-classic/stable", 60));
        assertThat(planned.exit()).isEqualTo(ExitCode.NO);
        assertThat(planned.err()).contains("would be rejected").contains("spec.target.option");
        assertThat(fleet.run("rejected list").out()).contains("flotilla.campaigns/0/spring");
        // The caller got the error and the accepted row stays in force, so there is no alert.
        assertThat(fleet.run("fleet status -o json").json()).contains("\"rejected\":0,\"rejectedChanges\":1");
        assertThat(fleet.run("rejected show flotilla.campaigns/0/spring").out())
                .contains("spec.target.option", "cannot change", "blocks nothing", "kcat -C", "Way out");
        CliResult none = fleet.run("rejected show flotilla.campaigns/0/autumn");
        assertThat(none.exit()).isEqualTo(ExitCode.NO);
        assertThat(none.err()).contains("flotilla.campaigns/0/autumn", "flotilla rejected list");
        assertThat(fleet.run("campaign apply " + campaign("channel=1.33-classic/stable", 60))
                        .exit())
                .isZero();
        assertThat(fleet.run("rejected list -o json").out()).doesNotContain("spring");
    }

    @Test
    @Order(5)
    void pausesResumesSkipsAndApproves() {
        assertThat(fleet.run("campaign pause spring --requested-by alice --reason look")
                        .out())
                .contains("campaign spring: paused");
        assertThat(fleet.run("campaign list").out())
                .contains("spring")
                .contains("paused")
                .contains("alice");
        assertThat(fleet.run("campaign get spring -o json").json())
                .contains("\"state\":\"paused\"", "\"waves\"", "\"acceptedCampaign\"");
        assertThat(fleet.run("campaign resume spring --reason seen").out()).contains("campaign spring: running");
        assertThat(fleet.run("campaign skip spring east/fleet/k1-w-3 --reason disk")
                        .out())
                .contains("skipped");
        assertThat(fleet.run("campaign approve spring --reason ready").out()).contains("wave canary approved");
        assertThat(fleet.run("campaign approve spring --reason ready").exit()).isEqualTo(ExitCode.NO);
        // Nothing was written, so there is no rejected record.
        assertThat(fleet.run("campaign approve spring canry --reason ready").err())
                .contains("campaign spring has no wave canry; its waves are: canary, ");
        assertThat(fleet.run("rejected list").out()).doesNotContain("approve/canry");
        assertThat(fleet.run("campaign approve spring --overlap --reason ready").err())
                .contains("campaign spring does not wait for an earlier campaign");
        CliResult absent = fleet.run("campaign pause autumn --reason look");
        assertThat(absent.exit()).isEqualTo(ExitCode.NO);
        CliResult absentAsJson = fleet.run("campaign pause autumn --reason look --output json");
        assertThat(absentAsJson.exit()).isEqualTo(ExitCode.NO);
        assertThat(absentAsJson.err()).isEqualTo(absent.err());
        assertThat(absentAsJson.json())
                .isEqualTo("{\"object\":\"campaignautumn\",\"result\":\"not-applied\",\"change\":null,\"reason\":\"the"
                        + "orchestratorhasnotacceptedacampaignautumn;campaigns:spring\"}");
        assertThat(absent.err())
                .contains("flotilla campaign pause: ", "has not accepted a campaign autumn;" + " campaigns: spring");
        CliResult unsaid = fleet.run("campaign delete spring");
        assertThat(unsaid.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(unsaid.err()).contains("campaign spring is running", "--reason TEXT");
    }

    @Test
    @Order(6)
    void showsAndExplainsTheFleet() {
        // The cap is 3, and no worker reports about the started machines.
        CliResult status = fleet.until(
                "fleet status -o json", cliResult -> cliResult.json().contains("\"inFlight\":3"));
        assertThat(status.json()).contains("\"machines\":4", "\"cap\":3", "\"term\":1", "\"standbys\":[]");
        assertThat(status.json())
                .containsPattern("\"leader\":\\{\"name\":\"[^\"]+\",\"address\":\"127\\.0\\.0\\.1\"\\}");
        assertThat(fleet.run("fleet status").out()).containsPattern("leader: \\S+ at 127\\.0\\.0\\.1; no standby");
        assertThat(fleet.run("machine list --campaign spring").out()).contains("east/fleet/k1-w-0");
        for (String typo : List.of("--site eastt", "--campaign sprin", "--cluster k2")) {
            CliResult none = fleet.run("machine list " + typo);
            assertThat(none.exit()).as(typo).isEqualTo(ExitCode.NO);
            assertThat(none.out()).isEmpty();
            assertThat(none.err())
                    .containsPattern("flotilla machine list: there is no .*; did you mean (east|spring|k1)\\?");
        }
        assertThat(fleet.run("machine list --site nowhere").err()).contains("`flotilla site list` lists all");
        assertThat(fleet.run("machine get east/fleet/k1-w-3").out())
                .contains("skipped")
                .contains("Provider: k8sd")
                .contains("uid: uid-k1-w-3");
        assertThat(fleet.run("machine explain -o json east/fleet/k1-w-3").json())
                .contains("\"machine\":\"east/fleet/k1-w-3\"", "\"state\"", "\"gate\"", "\"closed\"", "\"next\"");
        assertThat(fleet.run("machine explain east/fleet/k1-w-3").out()).doesNotContain("Seen by the worker");
        assertThat(fleet.run("machine explain east/fleet/none").exit()).isEqualTo(ExitCode.NO);
        assertThat(fleet.run("site list").out())
                .containsPattern("east +connected")
                .contains("never connected");
    }

    @Test
    @Order(7)
    void showsTheEvidenceOfAFailure() {
        MachineKey machine = new MachineKey(new SiteId("east"), "fleet", "k1-w-0");
        fleet.reported(
                machine,
                new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "change 7 is Error")
                        .with(new FailureEvidence(
                                List.of("Ready=False: KubeletNotReady"),
                                List.of("POST /1.0/snap/refresh-status: 200 Error, no space left"),
                                List.of("the node is still cordoned"))));

        assertThat(fleet.until(
                                "machine explain " + machine,
                                cliResult -> cliResult.out().contains("Seen by"))
                        .out())
                .contains(
                        "failed:",
                        "node  Ready=False: KubeletNotReady",
                        "k8sd  POST /1.0/snap/refresh-status: 200 Error, no space left",
                        "left  the node is still cordoned");
        assertThat(fleet.run("machine get -o json " + machine).json())
                .contains("\"lastFailureEvidence\":{\"attemptId\":1,");
    }

    @Test
    @Order(8)
    void changesCapsAndFreezes() {
        assertThat(fleet.run("fleet caps --in-flight 50% --wait 30").out()).contains("in flight at most 50%");
        assertThat(fleet.run("fleet caps").out()).contains("at most 50%");
        assertThat(fleet.run("fleet caps -o json").json())
                .isEqualTo("{\"inFlight\":\"50%\",\"siteInFlight\":null,\"prefetch\":null,\"sitePrefetch\":null}");
        assertThat(fleet.run("fleet caps --in-flight 50% -o json").json())
                .startsWith(
                        "{\"object\":\"thefleet'spolicy\",\"result\":\"unchanged\",\"change\":\"inflightatmost50%,");
        assertThat(fleet.run("fleet caps --in-flight 60% -o json").json())
                .startsWith("{\"object\":\"thefleet'spolicy\",\"result\":\"accepted\",\"change\":\"inflightatmost60%,");
        assertThat(fleet.run("fleet freeze --reason storm").out()).contains("the fleet: frozen");
        assertThat(fleet.run("fleet status").out())
                .contains("frozen: by order of")
                .contains("storm");
        assertThat(fleet.run("fleet unfreeze --reason calm").exit()).isZero();
        writeFreezeToAnotherTopic(Table.AUDITOR_ORDERS, "auditor-7", dev.flotilla.schemas.row.OperatorOrder.AUDITOR);
        writeFreezeToAnotherTopic(Table.ORDERS, "old", "ada");
        fleet.until(
                "fleet status",
                cliResult -> cliResult.out().contains("frozen: by order of auditor: looks wrong")
                        && cliResult.out().contains("frozen: by order of ada: looks wrong"));
        fleet.until(
                "rejected list",
                cliResult -> cliResult.out().contains("belongs on topic flotilla.freezes, not on flotilla.orders"));
        CliResult unread = fleet.run("fleet unfreeze --reason calm");
        assertThat(unread.exit()).isEqualTo(ExitCode.NO);
        assertThat(unread.err())
                .contains("the fleet is frozen by the order auditor-7 of auditor on flotilla.auditor-orders too: looks"
                        + " wrong. Nothing was written. To lift it as well, add --unfreeze-id auditor-7");
        CliResult unreadAsJson = fleet.run("fleet unfreeze --reason calm -o json");
        assertThat(unreadAsJson.exit()).isEqualTo(ExitCode.NO);
        assertThat(unreadAsJson.json())
                .startsWith(
                        "{\"object\":\"thefleet\",\"result\":\"not-applied\",\"change\":null,\"reason\":\"thefleetis");
        assertThat(fleet.run("fleet unfreeze --reason calm --unfreeze-id auditor-8")
                        .err())
                .contains("there is no freeze auditor-8 of the fleet on a topic other than flotilla.freezes");
        assertThat(fleet.run("fleet unfreeze --reason calm --unfreeze-id auditor-7")
                        .err())
                .contains("by the order old of ada on flotilla.orders too");
        assertThat(fleet.run("fleet unfreeze --reason calm --unfreeze-id auditor-7 --unfreeze-id old")
                        .exit())
                .isZero();
        assertThat(fleet.run("fleet status").out()).doesNotContain("frozen");
        assertThat(fleet.run("fleet unfreeze --reason again").exit())
                .as("lifted freezes stay lifted")
                .isZero();
        assertThat(fleet.run("fleet status").out()).doesNotContain("frozen");
        assertThat(CliResult.flotilla(
                                "site",
                                "freeze",
                                "north",
                                "--reason",
                                "storm\nfrozen: \u001b[2Jnot",
                                "--bootstrap",
                                fleet.bootstrap())
                        .exit())
                .isZero();
        assertThat(fleet.run("fleet status").out())
                .contains(": storm\\u000afrozen: \\u001b[2Jnot\n")
                .doesNotContain("\nfrozen: ");
        assertThat(fleet.run("site freeze north --reason storm").exit()).isZero();
        assertThat(fleet.run("site list").out()).containsPattern("north +never connected, frozen");
        assertThat(fleet.run("fleet status").out())
                .containsPattern("site north frozen: by order of .*: storm")
                .doesNotContain("\nfrozen: ");
        assertThat(fleet.run("site unfreeze north --reason calm -o json").json())
                .isEqualTo(
                        "{\"object\":\"sitenorth\",\"result\":\"accepted\",\"change\":\"unfrozen\",\"reason\":null}");
        CliResult south = fleet.run("site freeze south --reason storm");
        assertThat(south.exit()).isEqualTo(ExitCode.NO);
        assertThat(south.err()).startsWith("flotilla site freeze: there is no site south");
        assertThat(fleet.run("site accept-removal east --reason moved").exit()).isZero();
        assertThat(fleet.run("site write-off east --reason flood").err())
                .contains("site east is connected and its watcher is heard", "add --force");
        assertThat(fleet.run("site write-off east --reason flood --force").exit())
                .isZero();
        CliResult adopted = fleet.run("site adopt east --reason restored");
        assertThat(adopted.exit()).as(adopted.all()).isEqualTo(ExitCode.NO);
        assertThat(adopted.all()).contains("there is nothing to adopt");
        assertThat(fleet.run("fleet adopt --reason restored").err())
                .contains("no topic of the fleet was created again: there is nothing to adopt");
    }

    /** Writes a freeze of the fleet to a topic other than the one for freezes. */
    private static void writeFreezeToAnotherTopic(Table table, String id, String who) {
        fleet.write(List.of(new dev.flotilla.schemas.row.OperatorOrder(
                        new OperatorOrderKey.FreezeFleet(),
                        id,
                        who,
                        "looks wrong",
                        null,
                        dev.flotilla.schemas.row.OperatorOrder.OrderVerb.FREEZE)
                .withTable(table)));
    }

    @Test
    @Order(9)
    void verifiesTheJournal() {
        CliResult verified = fleet.run("journal verify --output json");

        assertThat(verified.exit()).as(verified.all()).isZero();
        assertThat(verified.json()).contains("\"chain\":\"intact\"").contains("\"firstBroken\":null");
        assertThat(fleet.run("journal tail --since 1").out())
                .contains("campaign-accepted")
                .contains("alice");
    }

    @Test
    @Order(10)
    void abortsAndDeletesACampaign() {
        assertThat(fleet.run("campaign abort spring --reason enough").out()).contains("campaign spring: aborted");
        CliResult watched = fleet.run("campaign watch spring --every 1");
        assertThat(watched.exit()).as(watched.all()).isEqualTo(ExitCode.NO);
        assertThat(watched.err()).contains("spring aborted", " at the target, ");
        assertThat(watched.out()).contains("WAVE", "REMAINING");
        CliResult watchedAsJson = fleet.run("campaign watch spring --every 1 -o json");
        assertThat(watchedAsJson.exit()).isEqualTo(ExitCode.NO);
        assertThat(watchedAsJson.err()).isEmpty();
        assertThat(watchedAsJson.out().lines())
                .singleElement()
                .asString()
                .startsWith("{\"at\":\"")
                .contains("\"name\":\"spring\"", "\"state\":\"aborted\"", "\"budget\":null", "\"gates\":{");
        assertThat(fleet.run("campaign watch autumn").err()).contains("has not accepted a campaign autumn");
        CliResult resumed = fleet.run("campaign resume spring --reason again -o json");
        assertThat(resumed.exit()).isEqualTo(ExitCode.NO);
        assertThat(resumed.err()).startsWith("flotilla campaign resume: campaign spring was rejected: ");
        assertThat(resumed.json())
                .startsWith(
                        "{\"object\":\"campaignspring\",\"result\":\"rejected\",\"change\":null,\"reason\":\"campaign");
        assertThat(fleet.run("campaign delete spring").out()).contains("campaign spring: deleted");
        assertThat(fleet.run("campaign delete spring").exit()).isEqualTo(ExitCode.NO);
    }

    @Test
    @Order(11)
    void deletesARunningCampaignWithAReason() throws IOException {
        assertThat(fleet.run("campaign apply " + campaign("channel=1.34-classic/stable", 50))
                        .exit())
                .isZero();

        CliResult deleted = fleet.run("campaign delete spring --requested-by bob --reason mistake");

        assertThat(deleted.exit()).as(deleted.all()).isZero();
        assertThat(deleted.out()).contains("campaign spring: aborted", "campaign spring: deleted");
        assertThat(fleet.run("journal tail --since 1").out()).contains("bob: mistake");
    }

    /** A valid campaign may be a mistake for this fleet; the command says so before it writes. */
    @Test
    @Order(12)
    void appliesAProbableMistakeOnlyWithForce() throws IOException {
        Path late = campaign("late", "deadline: 2020-01-01T00:00:00Z");
        assertThat(CliResult.flotilla("campaign", "validate", late.toString()).err())
                .contains("spec.deadline", "has passed");
        CliResult planned = fleet.run("campaign plan --runs 1 " + late);
        assertThat(planned.exit()).isEqualTo(ExitCode.NO);
        assertThat(planned.err()).contains("its deadline 2020-01-01T00:00:00Z has passed", "--force");
        CliResult refused = fleet.run("campaign apply " + late);
        assertThat(refused.exit()).isEqualTo(ExitCode.NO);
        assertThat(refused.out()).contains("campaign late: not applied");
        assertThat(refused.err()).contains("its deadline 2020-01-01T00:00:00Z has passed", "--force");
        assertThat(fleet.run("campaign list").out()).doesNotContain("late");
        assertThat(fleet.run("rejected list").out()).doesNotContain("late");
        CliResult forced = fleet.run("campaign apply --force " + late);
        assertThat(forced.exit()).as(forced.all()).isZero();
        assertThat(forced.out()).contains("campaign late: created, accepted");
        assertThat(forced.err()).contains("warning: campaign late starts nothing more");
        assertThat(fleet.run("campaign list").out()).contains("its deadline 2020-01-01T00:00:00Z has passed");
        assertThat(fleet.run("campaign get late").out()).contains("it starts nothing more");
        // Deleting aborts it first, and the result is one object.
        assertThat(fleet.run("campaign delete late --reason tidy -o json").json())
                .isEqualTo(
                        "{\"object\":\"campaignlate\",\"result\":\"accepted\",\"change\":\"deleted\",\"reason\":null}");
    }

    @Test
    @Order(13)
    void requiresForceForSitesThatDoNotExist() throws IOException {
        Path elsewhere = Files.writeString(folder.resolve("elsewhere.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: elsewhere}
            spec:
              target: {option: 'channel=1.33-classic/stable'}
              select: {sites: [eastt]}
              waves: [{name: rest}]
            """);
        CliResult campaign = fleet.run("campaign apply -o json " + elsewhere);
        assertThat(campaign.exit()).isEqualTo(ExitCode.NO);
        assertThat(campaign.err()).contains("names site eastt", "known sites: east", "selects no machine");
        assertThat(campaign.json()).contains("\"result\":\"not-applied\"");

        Path policy = Files.writeString(folder.resolve("site-policy.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Policy
            metadata: {name: nort}
            spec: {caps: {inFlight: 1}}
            """);
        CliResult unknown = fleet.run("policy apply " + policy);
        assertThat(unknown.exit()).isEqualTo(ExitCode.NO);
        assertThat(unknown.err()).contains("policy nort is for a site that does not exist", "did you mean north?");
        assertThat(fleet.run("policy apply --force " + policy).exit()).isZero();
    }

    @Test
    @Order(14)
    void warnsOfAnOverlapWhenAppliedAndWhileItBlocks() throws IOException {
        Path first = campaign("first", "priority: 1");
        assertThat(fleet.run("campaign apply " + first).exit()).isZero();
        Path later = Files.writeString(
                folder.resolve("later.yaml"),
                Files.readString(first).replace("name: first", "name: later").replace("1.33", "1.34"));

        CliResult applied = fleet.run("campaign apply " + later);

        assertThat(applied.exit()).as(applied.all()).isZero();
        assertThat(applied.err())
                .contains("warning: campaign later waits for campaign first", "approve later --overlap");
        assertThat(fleet.run("campaign list").out()).contains("waits for campaign first");
        assertThat(fleet.run("campaign approve later --overlap --reason fine -o json")
                        .json())
                .isEqualTo(
                        "{\"object\":\"campaignlater\",\"result\":\"accepted\",\"change\":\"overlapwithfirstapproved\","
                                + "\"reason\":null}");
        assertThat(fleet.run("campaign skip first east/fleet/k1-w-3 --reason disk")
                        .exit())
                .isZero();
        listsTheMachinesOfEachCampaign();
        fleet.publishInventory("east", 4);
        CliResult claimed =
                fleet.until("campaign list", cliResult -> cliResult.out().contains("wait at gate claimed-by-other"));
        assertThat(claimed.out())
                .doesNotContain("waits for campaign first")
                .containsPattern(
                        "later .* claimed-by-other, such as east/fleet/k1-w-\\d: The machine is claimed by campaign first");
    }

    /** A machine that has ended in one campaign and waits in another is a machine of both. */
    private static void listsTheMachinesOfEachCampaign() {
        assertThat(fleet.run("machine list").out()).containsPattern("k1-w-3 .* campaign later");
        assertThat(fleet.run("machine list --campaign later").out()).containsPattern("k1-w-3 .* campaign later");
        assertThat(fleet.run("machine list --campaign first").out())
                .containsPattern("k1-w-3 .* skipped +- +- +- +campaign first")
                .contains("k1-w-0")
                .doesNotContain("later");
        assertThat(fleet.run("machine list --campaign first --state skipped").out())
                .contains("k1-w-3")
                .doesNotContain("k1-w-0");
    }

    /** Any producer may write rows, so the orchestrator rejects what the command rejects. */
    @Test
    @Order(15)
    void rejectsAnUnknownTimeZoneFromEveryProducer() throws IOException {
        String zone = "windows: [{from: '22:00', to: '05:00', zone: Europe/Berln}]";
        Path file = campaign("zoned", zone);
        CliResult validated = CliResult.flotilla("campaign", "validate", file.toString());
        assertThat(validated.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(validated.out())
                .contains(
                        "spec.windows[0].zone",
                        "Europe/Berln",
                        "is not a known IANA time zone",
                        "did you mean Europe/Berlin?")
                .containsPattern(" 9 +spec.windows");
        assertThat(fleet.run("campaign apply " + file).exit()).isEqualTo(ExitCode.USAGE);
        // No campaign has needed the rules of this zone before.
        CliResult planned =
                fleet.run("campaign plan --runs 1 " + campaign("lima", zone.replace("Europe/Berln", "America/Lima")));
        assertThat(planned.exit()).as(planned.all()).isZero();
        assertThat(planned.err()).doesNotContain("is unknown");

        Campaign good = ((FileReadResult.ValidFile<Campaign>)
                        CampaignFileReader.read(Files.readString(file).replace("Berln", "Berlin")))
                .value();
        CampaignSpec spec = CampaignSpecBuilder.from(good.spec())
                .windows(List.of(new MaintenanceWindow(List.of(), null, 0, 60, new TimeZoneName("Europe/Berln"))))
                .build();
        fleet.write(List.of(new Campaign(good.name(), good.labels(), spec)));

        CliResult shown =
                fleet.until("rejected show flotilla.campaigns/0/zoned", cliResult -> cliResult.exit() == ExitCode.DONE);
        assertThat(shown.out()).contains("spec.windows[0].zone", "Europe/Berln", "did you mean Europe/Berlin?");
        assertThat(fleet.run("campaign list").out()).doesNotContain("zoned");
        assertThat(fleet.run("campaign delete zoned").exit()).isZero();
    }

    @Test
    @Order(16)
    void laterPolicyBlocksRunningCampaigns() throws IOException {
        CliResult asked = fleet.run(
                "policy apply " + policy("caps: {inFlight: 3}, campaigns: {requireApproval: before-first-wave}"));
        assertThat(asked.exit()).as(asked.all()).isZero();
        CliResult held = fleet.run("campaign get first");
        assertThat(held.out())
                .contains(
                        "it has no approval, but the fleet's policy requires one before anything starts",
                        "needs approval");
        assertThat(fleet.run("campaign list").out()).contains("campaigns.requireApproval");

        CliResult approved = fleet.run("campaign approve first --reason seen");
        assertThat(approved.exit()).as(approved.all()).isZero();
        assertThat(approved.out()).contains("wave rest approved");
        assertThat(fleet.run("campaign get first").out()).doesNotContain("has no approval", "needs approval");

        CliResult uncapped = fleet.run("policy apply " + policy("campaigns: {targets: ['revision=*']}"));
        assertThat(uncapped.exit()).as(uncapped.all()).isZero();
        assertThat(uncapped.err())
                .contains("warning: policy fleet no longer has spec.caps.inFlight, which was 3: the fleet has no cap");
        assertThat(fleet.run("campaign get first").out())
                .contains("it has the target channel=1.33-classic/stable, but the");
        assertThat(fleet.run("policy apply " + policy(3)).exit()).isZero();
    }

    @Test
    @Order(17)
    void tombstoneDoesNotResumeAPausedCampaign() {
        assertThat(fleet.run("campaign pause first --requested-by bob --reason look")
                        .exit())
                .isZero();
        fleet.write(List.of(new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName("first")))));

        CliResult shown =
                fleet.until("rejected show flotilla.campaigns/0/first", cliResult -> cliResult.exit() == ExitCode.DONE);

        assertThat(shown.out()).contains("a tombstone does not end a paused campaign (pause by bob: look)");
        assertThat(fleet.run("campaign list").out()).contains("pause by bob: look");
        assertThat(fleet.run("campaign delete first --reason enough").out())
                .contains("campaign first: aborted", "campaign first: deleted");
    }

    @Test
    @Order(18)
    void showsWhichFieldsOfAMachineKeepOldValues() {
        MachineKey machine = new MachineKey(new SiteId("east"), "fleet", "k1-w-dirty");
        Labels labels = new Labels(new TreeMap<>(Map.of(LabelKeys.DIRTY, "true")));
        MachineRow row = KafkaFleetFixture.worker(machine, "uid-dirty", "k1", labels);
        fleet.write(List.of(row));
        CliResult unnamed = fleet.until("machine get " + machine, cliResult -> cliResult.exit() == ExitCode.DONE);
        assertThat(unnamed.out()).contains("Annotation flotilla.dev/dirty of the Machine names the fields");
        fleet.write(
                List.of(row.withUnappliedFields("VSphereMachine spec.template, KubeadmConfig spec.files and 3 more")));
        CliResult shown = fleet.until(
                "machine get " + machine,
                cliResult -> cliResult.out().contains("Dirty: the machine keeps old values of"));
        assertThat(shown.out())
                .contains(
                        "  VSphereMachine spec.template (accepted by the setting ignore.VSphereMachine)\n",
                        "  KubeadmConfig spec.files and 3 more (accepted by the setting ignore.KubeadmConfig)\n",
                        "delete the Machine");
        assertThat(fleet.run("machine get -o json " + machine).json())
                .contains("\"dirty\":true", "\"unappliedFields\":\"VSphereMachinespec.template,");
        assertThat(fleet.run("machine get -o json east/fleet/k1-w-0").json()).contains("\"dirty\":false");
        assertThat(fleet.run("machine get east/fleet/k1-w-0").out()).doesNotContain("Dirty");
    }

    private static Path campaign(String name, String more) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: %s}
            spec:
              target: {option: 'channel=1.33-classic/stable'}
              select: {}
              waves: [{name: rest}]
              cluster: {maxUnavailable: 100%%}
              %s
            """.formatted(name, more));
    }

    private static Path policy(int cap) throws IOException {
        return policy("caps: {inFlight: " + cap + "}");
    }

    private static Path policy(String spec) throws IOException {
        return Files.writeString(folder.resolve("policy.yaml"), """
                apiVersion: flotilla.dev/v1
                kind: Policy
                metadata: {name: fleet}
                spec: {%s}
                """.formatted(spec));
    }

    private static Path campaign(String target, int priority) throws IOException {
        return Files.writeString(folder.resolve("campaign.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: spring}
            spec:
              target: {option: '%s'}
              select: {}
              waves: [{name: canary, approval: before, sites: [east]}, {name: rest}]
              priority: %d
              cluster: {maxUnavailable: 100%%}
            """.formatted(target, priority));
    }
}
