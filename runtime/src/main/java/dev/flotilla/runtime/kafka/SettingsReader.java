package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** Reads settings once, and collects everything that is wrong with them. */
final class SettingsReader {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:]+]|[A-Za-z0-9._-]+):([0-9]{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");
    private static final List<String> PROTOCOLS = List.of("PLAINTEXT", "SSL", "SASL_SSL", "SASL_PLAINTEXT");
    private static final List<String> MECHANISMS = List.of("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN");
    private static final List<String> TLS_VERSIONS = List.of("TLSv1.3", "TLSv1.2");
    private static final int LAST_PORT = 65_535;
    private static final String HIDDEN = "[hidden]";

    private final Map<String, String> given = new TreeMap<>();
    private final List<KafkaSettings.Problem> problems = new ArrayList<>();

    SettingsReader(Map<String, String> given) {
        given.forEach((key, value) -> this.given.put(key.trim(), value.trim()));
    }

    KafkaSettings.Parsed read() {
        given.keySet().stream().filter(key -> !ClientKeys.isKnown(key)).forEach(this::unknown);
        List<String> bootstrap = bootstrap();
        Map<String, Object> passed = passed();
        String protocol = oneOf(ClientKeys.PROTOCOL, PROTOCOLS, "PLAINTEXT");
        passed.put(ClientKeys.PROTOCOL, protocol);
        Credentials credentials = credentials(protocol);
        encryption(protocol, bootstrap);
        tls();
        return problems.isEmpty()
                ? new KafkaSettings.Good(new KafkaSettings(bootstrap, passed, credentials))
                : new KafkaSettings.Bad(List.copyOf(problems));
    }

    private void unknown(String key) {
        String reason = ClientKeys.reasonAgainst(key);
        if (reason != null) {
            problem(key, "is not taken from outside", "it " + reason);
            return;
        }
        String near = SpellingSuggestion.nearest(key, ClientKeys.known());
        problem(
                key,
                "is unknown",
                near == null ? "known are " + String.join(", ", ClientKeys.known()) : "did you mean " + near + "?");
    }

    private List<String> bootstrap() {
        List<String> addresses = new ArrayList<>();
        String text = given.getOrDefault(ClientKeys.BOOTSTRAP, "");
        if (text.isEmpty()) {
            problem(ClientKeys.BOOTSTRAP, "must be given", "name brokers as host:port,host:port");
            return addresses;
        }
        for (String address : text.split(",", -1)) {
            var match = ADDRESS.matcher(address.trim());
            if (!match.matches() || Integer.parseInt(match.group(2)) > LAST_PORT) {
                problem(ClientKeys.BOOTSTRAP, "has \"" + address.trim() + "\"", "each broker is host:port");
            }
            addresses.add(address.trim());
        }
        return addresses;
    }

    private Map<String, Object> passed() {
        Map<String, Object> passed = new LinkedHashMap<>();
        given.forEach((key, value) -> {
            if (ClientKeys.isPassed(key) && !key.equals(ClientKeys.PROTOCOL)) {
                try {
                    passed.put(key, ClientKeys.read(key, value));
                } catch (ConfigException e) {
                    // Kafka's message tells the value, and this one may be a secret.
                    problem(key, "is no value for it", ClientKeys.isSecret(key) ? "see Kafka's manual" : said(e));
                }
                if (key.endsWith(".location")) {
                    readable(key);
                }
            }
        });
        return passed;
    }

    private @Nullable Credentials credentials(String protocol) {
        if (!protocol.startsWith("SASL")) {
            for (String key :
                    List.of(ClientKeys.MECHANISM, ClientKeys.USER, ClientKeys.PASSWORD, ClientKeys.PASSWORD_FILE)) {
                if (given.containsKey(key)) {
                    problem(key, "has no use with " + protocol, "set " + ClientKeys.PROTOCOL + " to SASL_SSL");
                }
            }
            return null;
        }
        String mechanism = oneOf(ClientKeys.MECHANISM, MECHANISMS, "SCRAM-SHA-512");
        String user = given.getOrDefault(ClientKeys.USER, "");
        if (user.isEmpty()) {
            problem(ClientKeys.USER, "must be given", "it is who we are to the broker");
        }
        plain(ClientKeys.USER, user);
        return new Credentials(mechanism, user, new Password(password()));
    }

    private String password() {
        boolean inFile = given.containsKey(ClientKeys.PASSWORD_FILE);
        if (inFile == given.containsKey(ClientKeys.PASSWORD)) {
            problem(
                    ClientKeys.PASSWORD_FILE,
                    inFile ? "stands beside " + ClientKeys.PASSWORD : "must be given",
                    "give either the file or " + ClientKeys.PASSWORD);
            return "";
        }
        String password = given.getOrDefault(ClientKeys.PASSWORD, "");
        if (inFile && readable(ClientKeys.PASSWORD_FILE)) {
            try {
                password = Files.readString(Path.of(given.getOrDefault(ClientKeys.PASSWORD_FILE, "")))
                        .stripTrailing();
            } catch (IOException e) {
                problem(ClientKeys.PASSWORD_FILE, "cannot be read", "it must be a text in UTF-8");
            }
        }
        plain(ClientKeys.PASSWORD, password);
        return password;
    }

    private void encryption(String protocol, List<String> bootstrap) {
        String allowed = oneOf(ClientKeys.ALLOW_PLAINTEXT, List.of("false", "true"), "false");
        if (allowed.equals("true") || !protocol.endsWith("PLAINTEXT")) {
            return;
        }
        for (String address : bootstrap) {
            String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
            if (!LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
                problem(
                        ClientKeys.PROTOCOL,
                        "would send everything to " + address + " unprotected (" + protocol + ")",
                        "set it to SSL or SASL_SSL; on a network that you trust entirely, set "
                                + ClientKeys.ALLOW_PLAINTEXT + " to true");
            }
        }
    }

    private void tls() {
        String algorithm = "ssl.endpoint.identification.algorithm";
        if (!given.getOrDefault(algorithm, "https").equals("https")) {
            problem(algorithm, "lets any certificate pass for the broker's", "leave it out; it is https");
        }
        for (String key : List.of("ssl.protocol", "ssl.enabled.protocols")) {
            for (String version : given.getOrDefault(key, "TLSv1.3").split(",", -1)) {
                if (!TLS_VERSIONS.contains(version.trim())) {
                    problem(key, "has \"" + version.trim() + "\"", "only " + TLS_VERSIONS + " are safe");
                }
            }
        }
    }

    private String oneOf(String key, List<String> choices, String otherwise) {
        String value = given.getOrDefault(key, otherwise);
        if (!choices.contains(value)) {
            String near = SpellingSuggestion.nearest(value, choices);
            problem(
                    key,
                    "is none of " + String.join(", ", choices),
                    near == null ? "choose one of them" : "did you mean " + near + "?");
            return otherwise;
        }
        return value;
    }

    private boolean readable(String key) {
        boolean readable;
        try {
            readable = Files.isReadable(Path.of(given.getOrDefault(key, "")));
        } catch (InvalidPathException e) {
            readable = false;
        }
        if (!readable) {
            problem(key, "is no file that this process may read", "check the path, the mount and the file's mode");
        }
        return readable;
    }

    /** JAAS ends a value at the end of a line; no account needs such a character. */
    private void plain(String key, String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            problem(key, "has control characters", "remove them");
        }
    }

    private void problem(String key, String problem, String remedy) {
        String value = given.getOrDefault(key, "");
        String shown = value.isEmpty() || !ClientKeys.isSecret(key) ? value : HIDDEN;
        problems.add(new KafkaSettings.Problem(key, shown, problem, remedy));
    }

    private static String said(ConfigException e) {
        String message = e.getMessage();
        return message == null ? "see Kafka's manual" : message;
    }
}
