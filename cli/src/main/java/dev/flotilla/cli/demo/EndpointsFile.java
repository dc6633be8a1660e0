package dev.flotilla.cli.demo;

import dev.flotilla.cli.demo.stage.JavaProcess;
import dev.flotilla.cli.demo.stage.Stage;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where everything can be reached. */
final class EndpointsFile {
    private EndpointsFile() {}

    /** What runs now, of a demonstration with these sites. */
    static JsonValue of(Stage stage, List<SiteId> sites) {
        List<JsonValue> processes = new ArrayList<>();
        processes.add(process(Stage.BROKER, stage.brokerPid(), null));
        for (JavaProcess each : stage.ready()) {
            processes.add(process(each.what(), each.pid(), each.uri().toString()));
        }
        JavaProcess leader = stage.leader();
        return new JsonObjectReader.Builder()
                .put("bootstrapServers", stage.bootstrap())
                .put("page", JsonText.text(leader == null ? null : leader.uri().toString()))
                .put("processes", JsonText.list(processes))
                .put(
                        "sites",
                        JsonText.list(
                                sites.stream().map(site -> site(stage, site)).toList()))
                .put(
                        "nodes",
                        new JsonObjectReader.Builder()
                                .put(
                                        "ledgerUrl",
                                        stage.uri(Stage.SITES)
                                                .resolve("/ledger")
                                                .toString())
                                .build())
                .build();
    }

    private static JsonValue process(String what, long pid, @Nullable String url) {
        return new JsonObjectReader.Builder()
                .put("what", what)
                .put("pid", pid)
                .put("url", JsonText.text(url))
                .build();
    }

    private static JsonValue site(Stage stage, SiteId site) {
        return new JsonObjectReader.Builder()
                .put("name", site.name())
                .put("kubeconfig", stage.kubeconfig(site).toString())
                .build();
    }
}
