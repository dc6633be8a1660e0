package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.DemoProcess;
import dev.flotilla.cli.demo.stage.DemoProcesses;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Content of the endpoints file: the addresses of all processes. */
final class EndpointsFile {
    private EndpointsFile() {}

    /** Lists what runs now, for a demonstration with these sites. */
    static JsonValue toJson(DemoProcesses demoProcesses, List<SiteId> sites) {
        List<JsonValue> processes = new ArrayList<>();
        processes.add(process(DemoProcesses.BROKER, demoProcesses.brokerPid(), null));
        for (DemoProcess each : demoProcesses.ready()) {
            processes.add(process(each.what(), each.process().pid(), each.uri().toString()));
        }
        DemoProcess leader = demoProcesses.leader();
        return new JsonObjectReader.Builder()
                .put("bootstrapServers", demoProcesses.bootstrap())
                .put(
                        "page",
                        JsonFormatter.text(leader == null ? null : leader.uri().toString()))
                .put("processes", JsonFormatter.list(processes))
                .put(
                        "sites",
                        JsonFormatter.list(sites.stream()
                                .map(site -> site(demoProcesses, site))
                                .toList()))
                .put(
                        "nodes",
                        new JsonObjectReader.Builder()
                                .put(
                                        "ledgerUrl",
                                        demoProcesses
                                                .uri(DemoProcesses.SITES)
                                                .resolve("/calls")
                                                .toString())
                                .build())
                .build();
    }

    private static JsonValue process(String what, long pid, @Nullable String url) {
        return new JsonObjectReader.Builder()
                .put("what", what)
                .put("pid", pid)
                .put("url", JsonFormatter.text(url))
                .build();
    }

    private static JsonValue site(DemoProcesses demoProcesses, SiteId site) {
        return new JsonObjectReader.Builder()
                .put("name", site.name())
                .put("kubeconfig", demoProcesses.kubeconfig(site).toString())
                .build();
    }
}
