package dev.flotilla.cli.allinone;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.testkit.process.ChildProcess;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code flotilla all-in-one} prints when everything is ready, and the endpoints file. */
final class AllInOneText {
    private static final Pattern VERSION = Pattern.compile("v(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4}).*");

    /** What a first start says in front of machines that NodeUpgrades upgrade. */
    static final String NEEDS_TEMPLATE =
            "No machine with provider node-upgrade starts before its namespace has a plan and a template, such as"
                    + " deploy/node-upgrader/plans/kubeadm.yaml, and the policy names the template: docs/providers.md.";

    private AllInOneText() {}

    /** What runs, and what was found. */
    static List<String> describe(
            AllInOneOptions options,
            AllInOneProcesses processes,
            int clusters,
            SiteMachines machines,
            boolean policyNamesTemplate,
            @Nullable URI page) {
        List<String> lines = new ArrayList<>();
        lines.add("Site " + options.site() + ": " + count(clusters, "cluster") + ", "
                + count(machines.count(), "machine") + describeProviders(machines));
        if (options.upgrader() == NodeUpgraderMode.SIMULATED) {
            lines.add("SIMULATED: NodeUpgrades only write the version onto the Node. No node is upgraded.");
        } else if (machines.countProviders().containsKey(UpgradeProvider.NODE_UPGRADE) && !policyNamesTemplate) {
            lines.add(NEEDS_TEMPLATE);
        }
        if (page != null) {
            lines.add("Live page: " + page.resolve("/"));
        }
        lines.add("Kafka: " + processes.bootstrap() + ". Data and logs: " + processes.folder());
        lines.add("Try:");
        suggest(options, processes, machines).forEach(line -> lines.add("  " + line));
        return lines;
    }

    private static String describeProviders(SiteMachines machines) {
        Map<UpgradeProvider, Integer> providers = machines.countProviders();
        return providers.isEmpty()
                ? ""
                : " ("
                        + providers.entrySet().stream()
                                .map(entry -> entry.getValue() + " "
                                        + (entry.getKey() == UpgradeProvider.NONE
                                                ? "without a provider"
                                                : "by " + entry.getKey().label()))
                                .collect(Collectors.joining(", "))
                        + ")";
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    private static List<String> suggest(AllInOneOptions options, AllInOneProcesses processes, SiteMachines machines) {
        String kafka = " --bootstrap " + processes.bootstrap();
        MachineRow row = machines.example();
        if (row == null) {
            return List.of(
                    "kubectl --kubeconfig " + options.kubeconfigAsTyped() + " get machines -A",
                    "./flotilla machine list" + kafka,
                    "./flotilla journal tail" + kafka);
        }
        return List.of(
                "./flotilla machine list" + kafka,
                "kubectl --kubeconfig " + options.kubeconfigAsTyped() + " -n "
                        + row.key().namespace() + " annotate machine "
                        + row.key().name() + " " + AnnotationKeys.OUR_UPGRADE_TO + "=" + targetOf(row),
                "./flotilla machine explain " + row.key() + kafka);
    }

    /** The next patch release, or the next channel. */
    private static String targetOf(MachineRow row) {
        Matcher version = VERSION.matcher(String.valueOf(row.kubeletVersion()));
        if (!version.matches()) {
            return row.provider() == UpgradeProvider.K8SD ? "channel=CHANNEL" : "version=v1.X.Y";
        }
        return row.provider() == UpgradeProvider.K8SD
                ? "channel=" + version.group(1) + "." + (Integer.parseInt(version.group(2)) + 1) + "-classic/stable"
                : "version=v" + version.group(1) + "." + version.group(2) + "."
                        + (Integer.parseInt(version.group(3)) + 1);
    }

    /** The endpoints file, as that of the demonstration. */
    static JsonValue endpoints(AllInOneOptions options, AllInOneProcesses processes, @Nullable URI page) {
        List<JsonValue> all = new ArrayList<>();
        all.add(process("broker", processes.brokerPid(), null));
        for (Map.Entry<String, ChildProcess> each : processes.running().entrySet()) {
            ChildProcess process = each.getValue();
            all.add(process(
                    each.getKey(),
                    process.pid(),
                    process.isReady() ? process.awaitAddress().toString() : null));
        }
        return new JsonObjectReader.Builder()
                .put("bootstrapServers", processes.bootstrap())
                .put("page", JsonFormatter.text(page == null ? null : page.toString()))
                .put("upgrader", options.upgrader().label())
                .put("processes", JsonFormatter.list(all))
                .put(
                        "sites",
                        JsonFormatter.list(List.of(new JsonObjectReader.Builder()
                                .put("name", options.site().name())
                                .put("kubeconfig", options.kubeconfig().toString())
                                .build())))
                .build();
    }

    private static JsonValue process(String what, long pid, @Nullable String url) {
        return new JsonObjectReader.Builder()
                .put("what", what)
                .put("pid", pid)
                .put("url", JsonFormatter.text(url))
                .build();
    }
}
