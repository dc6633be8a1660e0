package dev.flotilla.campaigncontroller.object;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileProblem;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.TableRow;
import java.util.List;

/** Reads an object as {@code flotilla campaign validate} and {@code flotilla policy validate} read its manifest. */
public final class ManifestReader {
    private ManifestReader() {}

    /** A row, or all problems of the object. */
    public sealed interface ManifestResult {}

    /** The object is valid. */
    public record ValidManifest(TableRow row) implements ManifestResult {}

    /** The object is not valid. */
    public record InvalidManifest(List<String> problems) implements ManifestResult {
        public InvalidManifest {
            problems = List.copyOf(problems);
        }
    }

    /** Reads a campaign or a policy. */
    public static ManifestResult read(HubKind kind, KubeObject object) {
        String text = KubeObject.toJsonText(manifest(kind, object));
        return switch (kind) {
            case CAMPAIGN -> result(CampaignFileReader.read(text));
            case POLICY -> result(PolicyFileReader.read(text));
            case ORDER -> throw new IllegalArgumentException("an order has no manifest");
        };
    }

    private static ManifestResult result(FileReadResult<? extends TableRow> read) {
        return switch (read) {
            case FileReadResult.ValidFile<? extends TableRow> valid -> {
                List<String> problems = RowCheck.findProblems(valid.value());
                yield problems.isEmpty() ? new ValidManifest(valid.value()) : new InvalidManifest(problems);
            }
            case FileReadResult.InvalidFile<? extends TableRow> invalid ->
                new InvalidManifest(invalid.problems().stream()
                        .map(ManifestReader::describe)
                        .toList());
        };
    }

    /** The line of a problem is that of a text that nobody wrote. */
    private static String describe(FileProblem problem) {
        return new FileProblem(
                        problem.reason(),
                        problem.path(),
                        JsonValue.NO_LINE,
                        problem.value(),
                        problem.problem(),
                        problem.hint())
                .toString();
    }

    /**
     * Returns the manifest in an object. Labels with a prefix are left out: tools such as Argo CD and Helm write them, and an edit of
     * such a label is no edit of the campaign.
     */
    private static JsonObjectReader manifest(HubKind kind, KubeObject object) {
        JsonObjectReader.Builder metadata = new JsonObjectReader.Builder().put("name", object.name());
        if (kind == HubKind.CAMPAIGN) {
            JsonObjectReader labels = object.labels().json();
            JsonObjectReader.Builder own = new JsonObjectReader.Builder();
            for (int i = 0; i < labels.size(); i++) {
                if (labels.name(i).indexOf('/') < 0) {
                    own.put(labels.name(i), labels.value(i));
                }
            }
            metadata.put("labels", own.build());
        }
        JsonValue spec = object.valueAt("spec");
        return new JsonObjectReader.Builder()
                .put("apiVersion", HubKind.VERSION)
                .put("kind", kind.kind())
                .put("metadata", metadata.build())
                .put("spec", spec == null ? new JsonObjectReader.Builder().build() : spec)
                .build();
    }
}
