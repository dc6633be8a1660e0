package dev.flotilla.auditor.check;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A site with one cluster of one control-plane machine and three workers, a campaign over all of them, and reports of
 * their worker.
 */
final class SmallFleetFixture {
    static final String TARGET = "revision=3501";
    private static final int BUDGET = 5;
    private static final String TEMPLATE =
            "{\"apiVersion\":\"flotilla.dev/v1alpha1\",\"kind\":\"NodeUpgradeTemplate\",\"name\":\"kubeadm\"}";
    private static final String MACHINE = "\"site\":\"berlin\",\"namespace\":\"fleet\",\"name\":\"%s\"";

    private final TestTopicRecords testTopicRecords;
    private String campaign = "c";
    private String target = TARGET;
    private long uid;
    private long earlier;
    private String provider = "";
    private @Nullable String rollout;
    private final Map<String, String> since = new HashMap<>();

    private SmallFleetFixture(TestTopicRecords testTopicRecords) {
        this.testTopicRecords = testTopicRecords;
    }

    /** Writes the fleet, and runs the campaign with its one wave open. */
    static SmallFleetFixture in(TestTopicRecords testTopicRecords) {
        return in(testTopicRecords, "2", BUDGET);
    }

    static SmallFleetFixture in(TestTopicRecords testTopicRecords, String cap, int budget) {
        SmallFleetFixture fleet = new SmallFleetFixture(testTopicRecords);
        testTopicRecords.decide("leader-elected", "");
        fleet.policy(cap, false);
        testTopicRecords.decide(
                "site-changed",
                "",
                row(
                        "inventory.berlin",
                        "site",
                        "{\"site\":\"berlin\",\"managementUid\":\"m\",\"watcher\":\"w\",\"sentAt\":\""
                                + testTopicRecords.instant() + "\",\"withheldRemovals\":0}"));
        testTopicRecords.decide("inventory-changed", "", cluster(1));
        for (String name : new String[] {"cp", "w1", "w2", "w3"}) {
            testTopicRecords.decide("inventory-changed", "", machine(name, true));
        }
        fleet.uid = testTopicRecords.next();
        testTopicRecords.decide(
                "campaign-accepted", "", row("campaigns", "c", fleet.spec(budget)), fleet.campaign("running", budget));
        testTopicRecords.decide("wave-opened", "", fleet.wave(false));
        return fleet;
    }

    void policy(String cap, boolean frozen) {
        policy("\"caps\":{\"inFlight\":" + cap + "},\"freeze\":{\"frozen\":" + frozen + "}");
    }

    /** Allows local paths of intents below a directory. */
    void localPaths(String directory) {
        policy("\"caps\":{\"inFlight\":9},\"intents\":{\"localPaths\":[\"" + directory + "\"]}");
    }

    void policy(String spec) {
        String policy = "{\"apiVersion\":\"flotilla.dev/v1\",\"kind\":\"Policy\",\"metadata\":{\"name\":\"fleet\"},"
                + "\"spec\":{" + spec + "}}";
        testTopicRecords.decide(
                "policy-accepted",
                "",
                row("policies", "fleet", policy),
                row("campaign-status", "policy/fleet", "{\"policy\":" + policy + "}"));
    }

    static TopicRow row(String topic, String key, @Nullable String json) {
        return new TopicRow("flotilla." + topic, key, json);
    }

    static TopicRow cluster(int controlPlanes) {
        return row(
                "inventory.berlin",
                "cluster/fleet/shop",
                "{\"site\":\"berlin\",\"namespace\":\"fleet\",\"name\":\"shop\",\"uid\":\"c\",\"labels\":{},"
                        + "\"paused\":false,\"hold\":false,\"controlPlaneReplicas\":" + controlPlanes
                        + ",\"workerReplicas\":3}");
    }

    /** A ready machine whose kubelet shows a version. */
    static TopicRow machine(String name, String version) {
        TopicRow topicRow = machine(name, true);
        return new TopicRow(
                topicRow.topic(),
                topicRow.key(),
                String.valueOf(topicRow.json())
                        .replace("\"architecture\"", "\"kubeletVersion\":\"" + version + "\",\"architecture\""));
    }

    static TopicRow deleting(String name, String version) {
        TopicRow topicRow = machine(name, version);
        return new TopicRow(
                topicRow.topic(),
                topicRow.key(),
                String.valueOf(topicRow.json()).replace("\"deleting\":false", "\"deleting\":true"));
    }

    static TopicRow machine(String name, boolean ready) {
        return row(
                "inventory.berlin",
                "machine/fleet/" + name,
                "{" + MACHINE.formatted(name) + ",\"uid\":\"u-" + name
                        + "\",\"cluster\":\"shop\",\"owner\":{\"kind\":\""
                        + (name.startsWith("cp") ? "CK8sControlPlane" : "MachineDeployment")
                        + "\",\"name\":\"shop\"},\"role\":\""
                        + (name.startsWith("cp") ? "control-plane" : "worker")
                        + "\",\"labels\":{\"zone\":\"z\"},\"node\":\"n-" + name + "\",\"ready\":" + ready
                        + ",\"deleting\":false,\"paused\":false,\"hold\":false,\"optOut\":false,"
                        + "\"architecture\":\"amd64\",\"foreignActivities\":[]}");
    }

    /** The row of the cluster while the campaign has it open, to change the version of its workers. */
    TopicRow clusterUpgrade(String from) {
        return row(
                "status.berlin",
                "cluster-upgrade/fleet/shop",
                "{\"site\":\"berlin\",\"namespace\":\"fleet\",\"name\":\"shop\",\"campaign\":\"" + campaign
                        + "\",\"campaignUid\":" + uid + ",\"version\":\"v1.33.2\",\"openedAt\":\""
                        + testTopicRecords.instant()
                        + "\",\"changes\":[{\"kind\":\"machine-deployment\",\"name\":\"shop\",\"from\":\"" + from
                        + "\"}]}");
    }

    /** The cluster row while Cluster API updates its workers in place. */
    static TopicRow clusterUpdatedInPlace(String version, String problem) {
        TopicRow topicRow = cluster(1);
        return new TopicRow(
                topicRow.topic(),
                topicRow.key(),
                String.valueOf(topicRow.json())
                        .replaceFirst(
                                "}$",
                                ",\"versionFields\":[{\"kind\":\"machine-deployment\",\"name\":\"shop\",\"version\":\""
                                        + version + "\"" + problem + "}]}"));
    }

    /** Edits the campaign: adds members to its specification. */
    void addToSpec(String more) {
        edits(spec(BUDGET).replace("\"cluster\":", more + ",\"cluster\":"));
    }

    private void edits(String edited) {
        testTopicRecords.decide(
                "campaign-accepted", "edited", row("campaigns", campaign, edited), campaign("running", edited));
    }

    /** Edits the campaign: allows downgrades. */
    void allowDowngrade() {
        edits(spec(BUDGET).replace("\"expectedVersion\"", "\"allowDowngrade\":true,\"expectedVersion\""));
    }

    /** Edits the campaign: makes it strict. */
    void makeStrict() {
        edits(spec(BUDGET).replace("\"maxUnavailable\":2", "\"maxUnavailable\":2,\"strict\":true"));
    }

    /** Edits the campaign: removes the expected version. */
    void removeExpectedVersion() {
        edits(spec(BUDGET).replace(",\"expectedVersion\":\"1.33.2\"", ""));
    }

    private String spec(int budget) {
        return "{\"apiVersion\":\"flotilla.dev/v1\",\"kind\":\"Campaign\",\"metadata\":{\"name\":\"" + campaign
                + "\"},\"spec\":{\"target\":{\"option\":\"" + target
                + "\",\"expectedVersion\":\"1.33.2\"},\"select\":{},\"failureBudget\":{\"machines\":" + budget
                + "},\"cluster\":{\"maxUnavailable\":2}}}";
    }

    TopicRow campaign(String state, int budget) {
        return campaign(state, spec(budget));
    }

    private TopicRow campaign(String state, String spec) {
        return row(
                "campaign-status",
                campaign,
                "{\"name\":\"" + campaign + "\",\"uid\":" + uid + ",\"acceptedCampaign\":" + spec + ",\"state\":\""
                        + state + "\"" + learned(spec) + ",\"stateSince\":\"" + testTopicRecords.instant() + "\"}");
    }

    /** The version that a machine of the site has shown, if the campaign expects one. */
    private static String learned(String spec) {
        return spec.contains("expectedVersion")
                ? ",\"resolvedTargets\":[{\"architecture\":\"amd64\",\"revision\":\"3501\",\"version\":\"v1.33.2\","
                        + "\"site\":\"berlin\"}]"
                : "";
    }

    /** Adds a campaign with another target for the same machines; later starts are for it. */
    void overlap() {
        earlier = uid;
        campaign = "later";
        target = "revision=3502";
        uid = testTopicRecords.next();
        testTopicRecords.decide(
                "campaign-accepted", "", row("campaigns", campaign, spec(BUDGET)), campaign("running", BUDGET));
        testTopicRecords.decide("wave-opened", "", wave(false));
    }

    void approveOverlap() {
        TopicRow topicRow = campaign("running", BUDGET);
        String json = String.valueOf(topicRow.json());
        testTopicRecords.decide(
                "order-applied",
                "",
                new TopicRow(
                        topicRow.topic(),
                        topicRow.key(),
                        json.substring(0, json.length() - 1) + ",\"approvals\":{\"approvedOverlapUid\":" + earlier
                                + "}}"));
    }

    /** An order about the campaign. */
    TopicRow order(String kind, String verb) {
        return row(
                "orders",
                campaign + "/" + kind,
                "{\"order\":\"" + campaign + "/" + kind
                        + "\",\"id\":\"o-1\",\"requestedBy\":\"ada\",\"reason\":\"\",\"campaignUid\":" + uid
                        + ",\"verb\":\""
                        + verb + "\"}");
    }

    /** The approval of its wave, in a topic. */
    TopicRow approval(String topic) {
        TopicRow order = order("approve/all", "approve");
        return new TopicRow("flotilla." + topic, order.key(), order.json());
    }

    TopicRow wave(boolean closed) {
        return row(
                "campaign-status",
                campaign + "/all",
                "{\"campaign\":\"" + campaign + "\",\"wave\":\"all\",\"campaignUid\":" + uid + ",\"openedAt\":\""
                        + testTopicRecords.instant() + "\""
                        + (closed ? ",\"closedAt\":\"" + testTopicRecords.instant() + "\"" : "") + "}");
    }

    /** A new intent of an object. */
    TopicRow intent(String object, String uid, String option) {
        since.put(object, testTopicRecords.instant());
        return row(
                "intents.berlin",
                object,
                "{\"site\":\"berlin\",\"object\":\"" + object + "\",\"uid\":\"" + uid + "\",\"target\":\"" + option
                        + "\",\"requestedAt\":\"" + testTopicRecords.instant() + "\"}");
    }

    /** An intent with further fields, such as those of its task. */
    TopicRow intent(String object, String uid, String option, String more) {
        TopicRow intent = intent(object, uid, option);
        return new TopicRow(
                intent.topic(), intent.key(), String.valueOf(intent.json()).replaceFirst("}$", more + "}"));
    }

    /** Later starts are for the object's last intent. */
    void startForIntent(String object) {
        rollout = "{\"type\":\"intent\",\"site\":\"berlin\",\"object\":\"" + object + "\",\"requestedAt\":\""
                + since.get(object) + "\"}";
    }

    /** Later starts are for another target. */
    void setTarget(String option) {
        target = option;
    }

    /** Later attempts are NodeUpgrades. */
    void useNodeUpgrades() {
        provider = ",\"provider\":\"node-upgrade\"";
    }

    private String rollout() {
        if (rollout != null) {
            return rollout;
        }
        return "{\"type\":\"campaign\",\"campaign\":\"" + campaign + "\",\"uid\":" + uid + "}";
    }

    /** A status row with an open attempt; {@code state} without its braces. */
    TopicRow attempt(String name, long number, String state, boolean cancelled) {
        return status(
                name,
                "\"attempt\":{\"id\":" + number + ",\"rollout\":" + rollout() + ",\"target\":\"" + target
                        + "\",\"state\":{" + state + "},\"admittedAt\":\"" + testTopicRecords.instant()
                        + "\",\"cancelled\":"
                        + cancelled
                        + ",\"machine\":{\"cluster\":\"shop\",\"role\":\""
                        + (name.startsWith("cp") ? "control-plane" : "worker") + "\"" + provider + "}},",
                0,
                "open");
    }

    /** A status row without an attempt. */
    TopicRow ended(String name, int failed, String outcome) {
        return status(name, "", failed, outcome);
    }

    TopicRow failed(String name, long number, String reason) {
        return status(
                name,
                "\"lastFailure\":{\"attemptId\":" + number + ",\"class\":\"retryable\",\"reason\":\"" + reason
                        + "\",\"text\":\"\",\"failedAt\":\"" + testTopicRecords.instant() + "\"},",
                1,
                "open");
    }

    private TopicRow status(String name, String part, int failed, String outcome) {
        return row(
                "status.berlin",
                "machine/fleet/" + name,
                "{" + MACHINE.formatted(name) + ",\"uid\":\"u-" + name + "\"," + part + "\"entries\":[{\"rollout\":"
                        + rollout() + ",\"wave\":\"all\",\"failedAttempts\":" + failed + ",\"outcome\":\"" + outcome
                        + "\"}]}");
    }

    TopicRow upgrade(String name, long number, long seconds) {
        return row(
                "commands.berlin",
                "machine/fleet/" + name,
                "{\"type\":\"upgrade\"," + MACHINE.formatted(name) + ",\"uid\":\"u-" + name + "\",\"attemptId\":"
                        + number
                        + ",\"role\":\"" + (name.startsWith("cp") ? "control-plane" : "worker") + "\",\"target\":\""
                        + target + "\",\"maxUnavailable\":2,\"leaseExpiresAt\":\"" + testTopicRecords.instant(seconds)
                        + "\"" + provider + "}");
    }

    TopicRow cancel(String name, long number) {
        return row(
                "commands.berlin",
                "machine/fleet/" + name,
                "{\"type\":\"cancel\"," + MACHINE.formatted(name) + ",\"uid\":\"u-" + name + "\",\"attemptId\":"
                        + number + ",\"reason\":\"freeze\"}");
    }

    TopicRow noCommand(String name) {
        return row("commands.berlin", "machine/fleet/" + name, null);
    }

    /** Begins a preparation of a machine; returns its id. */
    long prepare(String name) {
        long number = testTopicRecords.next();
        testTopicRecords.decide(
                "preparation-started",
                "",
                preparation(
                        name, number, "\"type\":\"preparing\",\"deadline\":\"" + testTopicRecords.instant(1800) + "\""),
                row(
                        "commands.berlin",
                        "machine/fleet/" + name,
                        "{\"type\":\"prepare\"," + MACHINE.formatted(name) + ",\"uid\":\"u-" + name
                                + "\",\"attemptId\":"
                                + number + ",\"role\":\"worker\",\"target\":\"" + target + "\",\"leaseExpiresAt\":\""
                                + testTopicRecords.instant(900) + "\",\"deadline\":\"" + testTopicRecords.instant(1800)
                                + "\",\"template\":" + TEMPLATE + "}"));
        return number;
    }

    /** Ends a preparation as {@code prepared} or {@code failed}. */
    void endPreparation(String name, long number, String how) {
        boolean isPrepared = how.equals("prepared");
        writeReport(
                name,
                number,
                isPrepared
                        ? "{\"type\":\"prepared\"}"
                        : "{\"type\":\"failed\",\"class\":\"retryable\",\"reason\":\"deadline\",\"text\":\"\"}");
        testTopicRecords.decide(
                isPrepared ? "preparation-succeeded" : "preparation-failed",
                "",
                preparation(name, number, ending(isPrepared)),
                noCommand(name));
    }

    private String ending(boolean isPrepared) {
        return isPrepared
                ? "\"type\":\"prepared\",\"at\":\"" + testTopicRecords.instant() + "\""
                : "\"type\":\"failed\",\"reason\":\"\"";
    }

    /** Starts a machine whose upgrade says that it is prepared. */
    void admitPrepared(String name, long preparation) {
        admitAfter(name, preparation, ending(true), ",\"prepared\":true}");
    }

    /** Starts a machine that prepares. */
    void admitBeside(String name, long preparation) {
        admitAfter(
                name,
                preparation,
                "\"type\":\"preparing\",\"deadline\":\"" + testTopicRecords.instant(1800) + "\"",
                "}");
    }

    private void admitAfter(String name, long preparation, String progress, String endOfCommand) {
        long number = testTopicRecords.next();
        TopicRow attempt = attempt(
                name,
                number,
                "\"type\":\"admitted\",\"leaseExpiresAt\":\"" + testTopicRecords.instant(900) + "\"",
                false);
        TopicRow command = upgrade(name, number, 900);
        String json = String.valueOf(attempt.json());
        String commandJson = String.valueOf(command.json());
        testTopicRecords.decide(
                "attempt-admitted",
                "",
                new TopicRow(
                        attempt.topic(),
                        attempt.key(),
                        json.substring(0, json.length() - 1) + "," + preparationField(preparation, progress) + "}"),
                new TopicRow(
                        command.topic(),
                        command.key(),
                        commandJson.substring(0, commandJson.length() - 1) + endOfCommand));
    }

    private TopicRow preparation(String name, long number, String progress) {
        return row(
                "status.berlin",
                "machine/fleet/" + name,
                "{" + MACHINE.formatted(name) + ",\"uid\":\"u-" + name + "\",\"entries\":[],"
                        + preparationField(number, progress) + "}");
    }

    private String preparationField(long number, String progress) {
        return "\"preparation\":{\"id\":" + number + ",\"rollout\":" + rollout() + ",\"target\":\"" + target
                + "\",\"template\":" + TEMPLATE + ",\"progress\":{" + progress + "}}";
    }

    /** Pauses the campaign, whose specification has these members too. */
    void pause(String more) {
        testTopicRecords.decide(
                "campaign-paused",
                "",
                campaign("paused", spec(BUDGET).replace("\"cluster\":", more + ",\"cluster\":")));
    }

    /** Starts a machine; returns the attempt's id. */
    long admit(String name) {
        long number = testTopicRecords.next();
        testTopicRecords.decide(
                "attempt-admitted",
                "",
                attempt(
                        name,
                        number,
                        "\"type\":\"admitted\",\"leaseExpiresAt\":\"" + testTopicRecords.instant(900) + "\"",
                        false),
                upgrade(name, number, 900));
        return number;
    }

    /** Writes a worker's reports; the journal records steps. */
    void reportSteps(String name, long number, String... steps) {
        for (String step : steps) {
            String change = step.equals("refreshing") ? ",\"changeId\":\"7\"" : "";
            writeReport(name, number, "{\"type\":\"step-reached\",\"step\":\"" + step + "\"" + change + "}");
            testTopicRecords.decide(
                    "attempt-step-reached",
                    step,
                    attempt(
                            name,
                            number,
                            "\"type\":\"running\",\"step\":\"" + step + "\",\"deadline\":\""
                                    + testTopicRecords.instant(3600) + "\"",
                            false));
        }
    }

    /** Writes a worker's report without a decision. */
    void writeReport(String name, long number, String report) {
        testTopicRecords.write(
                row(
                        "progress.berlin",
                        "machine/fleet/" + name,
                        "{" + MACHINE.formatted(name) + ",\"uid\":\"u-" + name + "\",\"attemptId\":" + number
                                + ",\"report\":" + report + ",\"reportedAt\":\"" + testTopicRecords.instant() + "\"}"),
                null);
        testTopicRecords.seconds(1);
    }

    void writeStepReport(String name, long number, String step) {
        writeReport(name, number, "{\"type\":\"step-reached\",\"step\":\"" + step + "\"}");
    }

    static String succeeded(String how, int revision) {
        return "{\"type\":\"succeeded\",\"proof\":\"" + how + "\",\"revision\":\"" + revision
                + "\",\"version\":\"v1.33.2\"}";
    }

    void succeed(String name, long number) {
        writeReport(name, number, succeeded("upgraded", 3501));
        decideSuccess(name, number);
    }

    /** Writes the decision only. */
    void decideSuccess(String name, long number) {
        testTopicRecords.decide("attempt-succeeded", "upgraded", ended(name, 0, "succeeded"), noCommand(name));
    }

    /** Upgrades a machine from its start to its proof. */
    void upgrade(String name) {
        long number = admit(name);
        reportSteps(name, number, "preflight", "guarding", "starting", "refreshing", "verifying");
        succeed(name, number);
    }

    /** Starts a machine and lets it fail once. */
    void failOnce(String name, String reason) {
        long number = admit(name);
        writeReport(
                name,
                number,
                "{\"type\":\"failed\",\"class\":\"retryable\",\"reason\":\"" + reason + "\",\"text\":\"\"}");
        testTopicRecords.decide("attempt-failed", reason, failed(name, number, reason), noCommand(name));
    }
}
