package dev.flotilla.testkit.clusterapi;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Where the API server reaches the webhooks of a manager that runs beside it, instead of the Service of a deployed one. */
record WebhookAddress(int port, String authority) {
    private static final Pattern SERVICE = Pattern.compile(
            "^( *)clientConfig:\\n +service:\\n +name: \\S+\\n +namespace: \\S+\\n +path: (\\S+)$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("^  name: (\\S+-webhook-configuration)$", Pattern.MULTILINE);

    /** Returns manifests that name this address. */
    String applyTo(String manifests) {
        String bundle = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
        return SERVICE.matcher(manifests)
                .replaceAll("$1clientConfig:\n$1  url: https://127.0.0.1:" + port + "$2\n$1  caBundle: " + bundle);
    }

    /** Returns webhook configurations that name this address. Each manager's have the same names, so they get a prefix. */
    String applyTo(String webhooks, String prefix) {
        return NAME.matcher(applyTo(webhooks)).replaceAll("  name: " + prefix + "-$1");
    }
}
