package dev.flotilla.cli.site.check;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that nodes hold their snap. snapd refreshes a snap that is not held several times a day, past all gates, and
 * that may collide with an upgrade.
 */
final class SnapHoldCheck {
    private static final String CHECK = "snap hold";
    private static final String GROUP = "bootstrap.cluster.x-k8s.io";
    private static final String PLURAL = "ck8sconfigs";

    /** Largest number of CK8sConfigs that are listed; there is one for each machine. */
    private static final int MOST_CONFIGS = 20_000;

    private static final Pattern HOLD = Pattern.compile("\\bsnap\\s+refresh\\b[^\\n;&|]*\\s--hold\\b");
    private static final String ON_A_NODE = "; `snap list k8s` on a node shows whether it is held";

    private final KubeApiClient api;

    SnapHoldCheck(KubeApiClient api) {
        this.api = api;
    }

    CheckResult checkNodes() {
        String version = new ServedApiVersions(api).versionOf(GROUP, PLURAL);
        if (version == null) {
            return CheckResult.unknown(
                    CHECK,
                    "the served version of CK8sConfigs is unknown; try again, and check the API server if it persists");
        }
        if (version.isEmpty()) {
            return CheckResult.unknown(CHECK, "this API server does not serve CK8sConfigs" + ON_A_NODE);
        }
        Count count = new Count();
        String problem =
                api.forEachObject(KubeApiPath.listPath(GROUP + "/" + version, PLURAL), "", MOST_CONFIGS, count::add);
        return problem == null
                ? checkNodes(count.all, count.notHeld, count.first)
                : CheckResult.unknown(
                        CHECK,
                        "the CK8sConfigs cannot be listed: " + problem + ": use credentials that may list" + " them"
                                + ON_A_NODE);
    }

    /** Counts CK8sConfigs page by page. */
    private static final class Count {
        private int all;
        private int notHeld;
        private String first = "";

        private void add(KubeObject config) {
            all++;
            if (!isHeld(config.valueAt("spec"))) {
                notHeld++;
                first = notHeld == 1 ? config.namespace() + "/" + config.name() : first;
            }
        }
    }

    /** Whether a configuration holds a snap, in a command or in a script among its files. */
    static boolean isHeld(@Nullable JsonValue jsonValue) {
        return switch (jsonValue) {
            case JsonValue.JsonString jsonString ->
                HOLD.matcher(jsonString.value()).find();
            case JsonValue.JsonArray jsonArray -> jsonArray.items().stream().anyMatch(SnapHoldCheck::isHeld);
            case JsonObjectReader jsonObjectReader ->
                IntStream.range(0, jsonObjectReader.size()).anyMatch(i -> isHeld(jsonObjectReader.value(i)));
            case JsonValue.JsonInteger jsonInteger -> false;
            case JsonValue.JsonDecimal jsonDecimal -> false;
            case JsonValue.JsonBoolean jsonBoolean -> false;
            case JsonValue.JsonNull jsonNull -> false;
            case null -> false;
        };
    }

    /**
     * Makes the result from the counts.
     *
     * @param loose number of configurations that do not hold their snap
     * @param first the first of them
     */
    static CheckResult checkNodes(int all, int loose, String first) {
        if (all == 0) {
            return CheckResult.ok(CHECK, "there are no CK8sConfigs");
        }
        return loose == 0
                ? CheckResult.ok(CHECK, "all " + all + " CK8sConfigs hold their node's snap")
                : CheckResult.differs(
                        CHECK,
                        loose + " of " + all + " CK8sConfigs do not hold their node's snap, the first is "
                                + first
                                + ": snapd refreshes it several times a day. Add `snap refresh --hold k8s` to"
                                + " postRunCommands of the"
                                + " bootstrap configuration, and run it on existing nodes"
                                + ON_A_NODE);
    }
}
