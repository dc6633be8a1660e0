package dev.flotilla.clusterapi.coverage;

import dev.flotilla.clusterapi.coverage.CoverageAnswer.ObjectChange;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a change of a machine is made in place: all of it or nothing. A pure function of the request, because Cluster API keeps a
 * "no" for a day.
 */
public final class CoverageDecider {
    /** Fields of a Machine's spec that Cluster API does not compare. */
    private static final Set<String> NOT_COMPARED = Set.of(
            "clusterName",
            "bootstrap",
            "infrastructureRef",
            "providerID",
            "minReadySeconds",
            "readinessGates",
            "taints",
            "deletion");

    private static final String VERSION = "version";

    private final CoverageTable table;
    private final Map<HookObject, JsonObjectReader> patches = new EnumMap<>(HookObject.class);
    private final List<ObjectChange> uncovered = new ArrayList<>();
    private int changes;
    private int availableChanges;
    private boolean isUpgrade;

    private CoverageDecider(CoverageTable table) {
        this.table = table;
    }

    /**
     * Decides for a request with a current and a desired state.
     *
     * @param objects the objects that the hook asks about
     */
    public static CoverageAnswer decide(CoverageTable table, KubeObject request, List<HookObject> objects) {
        return new CoverageDecider(table).decide(request, objects);
    }

    private CoverageAnswer decide(KubeObject request, List<HookObject> objects) {
        KubeObject current = request.object("current");
        KubeObject desired = request.object("desired");
        isUpgrade = objects.stream()
                .filter(HookObject::isMachine)
                .anyMatch(object -> !Objects.equals(versionOf(object, current), versionOf(object, desired)));
        for (HookObject object : objects) {
            for (String part : List.of("current", "desired")) {
                String problem = problemOf(object, request.valueAt(part, object.field()));
                if (problem != null) {
                    return new CoverageAnswer.InvalidRequest(part + "." + object.field() + " " + problem);
                }
            }
            compare(object, object.findIn(current), object.findIn(desired));
        }
        return uncovered.isEmpty()
                ? new CoverageAnswer.Covered(
                        patches,
                        IgnoredFields.read(table, current, objects)
                                .findChanged(IgnoredFields.read(table, desired, objects)),
                        changes > 0 && changes == availableChanges)
                : new CoverageAnswer.NotCovered(uncovered, table.uncovered());
    }

    private static @Nullable String problemOf(HookObject object, @Nullable JsonValue value) {
        if (value == null) {
            return object.isRequired() ? "is missing" : null;
        }
        if (!(value instanceof JsonObjectReader json)) {
            return "is no object";
        }
        KubeObject whole = new KubeObject(json);
        if (whole.text("kind") == null) {
            return "has no kind";
        }
        // Otherwise it would count as an empty spec, and its change as covered.
        return object.hasWrongSpec(whole) ? "has a spec that is no object" : null;
    }

    private void compare(HookObject object, @Nullable KubeObject current, @Nullable KubeObject desired) {
        if (current == null || desired == null) {
            KubeObject only = current == null ? desired : current;
            if (only != null) {
                uncovered.add(change(only, SpecPath.ROOT, current == null ? "is added" : "is removed"));
            }
            return;
        }
        if (!kindOf(current).equals(kindOf(desired))) {
            uncovered.add(change(desired, SpecPath.ROOT, "was a " + kindOf(current)));
            return;
        }
        JsonObjectReader from = comparedSpec(object, current);
        JsonObjectReader to = comparedSpec(object, desired);
        KindCoverage coverage = table.of(object.isMachine() ? CoverageTable.MACHINE : kindOf(current));
        for (SpecChange change : SpecComparison.findChanges(from, to)) {
            judge(object.isMachine() ? CoverageTable.MACHINE : kindOf(current), coverage, change);
        }
        JsonObjectReader patch = SpecComparison.buildMergePatch(from, to);
        if (patch.size() > 0) {
            patches.put(object, nest(patch, object.specPath()));
        }
    }

    private void judge(String kind, KindCoverage coverage, SpecChange change) {
        changes++;
        availableChanges += coverage.keepsAvailable(change) ? 1 : 0;
        if (!change.isPatchable()) {
            uncovered.add(new ObjectChange(kind, change, "a null cannot be patched"));
        } else if (kind.equals(CoverageTable.MACHINE) && isVersion(change) && change.to() == null) {
            uncovered.add(new ObjectChange(kind, change, "without a version nothing can be applied"));
        } else if (kind.equals(CoverageTable.MACHINE) && isVersion(change) && isLower(change)) {
            uncovered.add(new ObjectChange(kind, change, "a lower version is never applied in place"));
        } else if (coverage.isIgnored(change)) {
            return;
        } else if (!coverage.isApplied(change)) {
            uncovered.add(new ObjectChange(kind, change, ""));
        } else if (!isUpgrade && coverage.needsVersion(change)) {
            uncovered.add(new ObjectChange(kind, change, "comes with another version only"));
        }
    }

    private static @Nullable JsonValue versionOf(HookObject object, KubeObject state) {
        KubeObject whole = object.findIn(state);
        return whole == null ? null : object.specOf(whole).valueAt(VERSION);
    }

    private static boolean isVersion(SpecChange change) {
        return change.path().names().equals(List.of(VERSION));
    }

    private static boolean isLower(SpecChange change) {
        return change.from() instanceof JsonValue.JsonString from
                && change.to() instanceof JsonValue.JsonString to
                && KubernetesVersion.isOlder(
                        KubernetesVersion.parse(to.value()), KubernetesVersion.parse(from.value()));
    }

    /** Returns the fields that Cluster API compares. */
    private static JsonObjectReader comparedSpec(HookObject object, KubeObject whole) {
        JsonObjectReader spec = object.specOf(whole).json();
        if (!object.isMachine()) {
            return spec;
        }
        JsonObjectReader.Builder compared = new JsonObjectReader.Builder();
        for (int i = 0; i < spec.size(); i++) {
            if (!NOT_COMPARED.contains(spec.name(i))) {
                compared.put(spec.name(i), spec.value(i));
            }
        }
        return compared.build();
    }

    private static JsonObjectReader nest(JsonObjectReader patch, List<String> path) {
        JsonObjectReader nested = patch;
        for (int i = path.size() - 1; i >= 0; i--) {
            nested = new JsonObjectReader.Builder().put(path.get(i), nested).build();
        }
        return nested;
    }

    private static String kindOf(KubeObject object) {
        String kind = object.text("kind");
        return kind == null ? "" : kind;
    }

    private static ObjectChange change(KubeObject object, SpecPath path, String reason) {
        return new ObjectChange(kindOf(object), new SpecChange(path, null, null), reason);
    }
}
