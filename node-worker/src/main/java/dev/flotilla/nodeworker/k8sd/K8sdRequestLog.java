package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.FailureEvidence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The last requests to a node and their results, for people. Repetitions are counted. */
public final class K8sdRequestLog {
    private final List<String> lines = new ArrayList<>();
    private String last = "";
    private int times;

    public void add(K8sdRequest k8sdRequest, K8sdRequestResult k8sdRequestResult) {
        String line = k8sdRequest.path().substring(k8sdRequest.path().lastIndexOf('/') + 1) + ": "
                + describe(k8sdRequestResult);
        if (line.equals(last)) {
            times++;
            lines.set(lines.size() - 1, line + " (" + times + " times)");
            return;
        }
        last = line;
        times = 1;
        lines.add(line);
        if (lines.size() > FailureEvidence.MAX_LINES) {
            lines.remove(0);
        }
    }

    private static String describe(K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent it -> "not sent: " + it.reason();
            case K8sdRequestResult.UntrustedCertificate it -> "not sent: " + it.reason();
            case K8sdRequestResult.ConnectionBroken it -> "no complete response: " + it.reason();
            case K8sdRequestResult.UnreadableResponse it -> it.status() + ", not k8sd's: " + it.reason();
            case K8sdRequestResult.ErrorReturned it -> it.status() + ": " + it.error();
            case K8sdRequestResult.SuccessReturned it -> {
                JsonWriter out = new JsonWriter();
                out.jsonValue(it.metadata());
                yield RedactedText.redact(
                        new String(out.toBytes(), StandardCharsets.UTF_8), FailureEvidence.MAX_LINE / 2);
            }
        };
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }
}
