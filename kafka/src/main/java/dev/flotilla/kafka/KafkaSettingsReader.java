package dev.flotilla.kafka;

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

/** Reads Kafka settings and collects all their problems. */
final class KafkaSettingsReader {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:]+]|[A-Za-z0-9._-]+):([0-9]{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");
    private static final List<String> PROTOCOLS = List.of("PLAINTEXT", "SSL", "SASL_SSL", "SASL_PLAINTEXT");
    private static final List<String> MECHANISMS = List.of("SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN");
    private static final List<String> TLS_VERSIONS = List.of("TLSv1.3", "TLSv1.2");
    private static final int MAX_PORT = 65_535;
    private static final String HIDDEN = "[hidden]";

    private final Map<String, String> given = new TreeMap<>();
    private final List<KafkaClientSettings.SettingProblem> problems = new ArrayList<>();

    KafkaSettingsReader(Map<String, String> given) {
        given.forEach((key, value) -> this.given.put(key.trim(), value.trim()));
    }

    KafkaClientSettings.SettingsParseResult read() {
        given.keySet().stream()
                .filter(key -> !AllowedClientProperties.isKnown(key))
                .forEach(this::addUnknownKey);
        List<String> bootstrap = readBootstrap();
        Map<String, Object> passed = readPassedThrough();
        String protocol = oneOf(AllowedClientProperties.PROTOCOL, PROTOCOLS, "PLAINTEXT");
        passed.put(AllowedClientProperties.PROTOCOL, protocol);
        SaslCredentials saslCredentials = credentials(protocol);
        checkEncryption(protocol, bootstrap);
        checkTls();
        return problems.isEmpty()
                ? new KafkaClientSettings.ValidSettings(new KafkaClientSettings(bootstrap, passed, saslCredentials))
                : new KafkaClientSettings.InvalidSettings(List.copyOf(problems));
    }

    private void addUnknownKey(String key) {
        String reason = AllowedClientProperties.rejectionReason(key);
        if (reason != null) {
            addProblem(key, "is not allowed", "it " + reason);
            return;
        }
        String near = SpellingSuggestion.nearest(key, AllowedClientProperties.knownProperties());
        addProblem(
                key,
                "is an unknown setting",
                near == null
                        ? "known are " + String.join(", ", AllowedClientProperties.knownProperties())
                        : "did you mean " + near + "?");
    }

    private List<String> readBootstrap() {
        List<String> addresses = new ArrayList<>();
        String text = given.getOrDefault(AllowedClientProperties.BOOTSTRAP, "");
        if (text.isEmpty()) {
            addProblem(AllowedClientProperties.BOOTSTRAP, "must be given", "name brokers as host:port,host:port");
            return addresses;
        }
        for (String address : text.split(",", -1)) {
            var match = ADDRESS.matcher(address.trim());
            if (!match.matches() || Integer.parseInt(match.group(2)) > MAX_PORT) {
                addProblem(
                        AllowedClientProperties.BOOTSTRAP,
                        "has the invalid address \"" + address.trim() + "\"",
                        "write each broker as host:port");
            }
            addresses.add(address.trim());
        }
        return addresses;
    }

    private Map<String, Object> readPassedThrough() {
        Map<String, Object> passed = new LinkedHashMap<>();
        given.forEach((key, value) -> {
            if (AllowedClientProperties.isAllowed(key) && !key.equals(AllowedClientProperties.PROTOCOL)) {
                try {
                    passed.put(key, AllowedClientProperties.parseValue(key, value));
                } catch (ConfigException e) {
                    // Kafka's message quotes the value, which may be a secret.
                    addProblem(
                            key,
                            "is not a valid value",
                            AllowedClientProperties.isSecret(key) ? "see Kafka's documentation" : messageOf(e));
                }
                if (key.endsWith(".location")) {
                    checkReadable(key);
                }
            }
        });
        return passed;
    }

    private @Nullable SaslCredentials credentials(String protocol) {
        if (!protocol.startsWith("SASL")) {
            for (String key : List.of(
                    AllowedClientProperties.MECHANISM,
                    AllowedClientProperties.USER,
                    AllowedClientProperties.PASSWORD,
                    AllowedClientProperties.PASSWORD_FILE)) {
                if (given.containsKey(key)) {
                    addProblem(
                            key,
                            "has no effect with " + protocol,
                            "set " + AllowedClientProperties.PROTOCOL + " to SASL_SSL");
                }
            }
            return null;
        }
        String mechanism = oneOf(AllowedClientProperties.MECHANISM, MECHANISMS, "SCRAM-SHA-512");
        String user = given.getOrDefault(AllowedClientProperties.USER, "");
        if (user.isEmpty()) {
            addProblem(AllowedClientProperties.USER, "must be given", "give the user name for the broker");
        }
        checkNoControlCharacters(AllowedClientProperties.USER, user);
        return new SaslCredentials(mechanism, user, new Password(readPassword()));
    }

    private String readPassword() {
        boolean inFile = given.containsKey(AllowedClientProperties.PASSWORD_FILE);
        if (inFile == given.containsKey(AllowedClientProperties.PASSWORD)) {
            addProblem(
                    AllowedClientProperties.PASSWORD_FILE,
                    inFile ? "is given together with " + AllowedClientProperties.PASSWORD : "must be given",
                    "give either the file or " + AllowedClientProperties.PASSWORD);
            return "";
        }
        String password = given.getOrDefault(AllowedClientProperties.PASSWORD, "");
        if (inFile && checkReadable(AllowedClientProperties.PASSWORD_FILE)) {
            try {
                password = Files.readString(Path.of(given.getOrDefault(AllowedClientProperties.PASSWORD_FILE, "")))
                        .stripTrailing();
            } catch (IOException e) {
                addProblem(AllowedClientProperties.PASSWORD_FILE, "cannot be read", "it must be a UTF-8 text file");
            }
        }
        checkNoControlCharacters(AllowedClientProperties.PASSWORD, password);
        return password;
    }

    private void checkEncryption(String protocol, List<String> bootstrap) {
        String allowed = oneOf(AllowedClientProperties.ALLOW_PLAINTEXT, List.of("false", "true"), "false");
        if (allowed.equals("true") || !protocol.endsWith("PLAINTEXT")) {
            return;
        }
        for (String address : bootstrap) {
            String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
            if (!LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
                addProblem(
                        AllowedClientProperties.PROTOCOL,
                        "would send all data to " + address + " without encryption (" + protocol + ")",
                        "set it to SSL or SASL_SSL; only on a fully trusted network, set "
                                + AllowedClientProperties.ALLOW_PLAINTEXT + " to true");
            }
        }
    }

    private void checkTls() {
        String algorithm = "ssl.endpoint.identification.algorithm";
        if (!given.getOrDefault(algorithm, "https").equals("https")) {
            addProblem(algorithm, "accepts any certificate as the broker's", "leave it out; the default is https");
        }
        for (String key : List.of("ssl.protocol", "ssl.enabled.protocols")) {
            for (String version : given.getOrDefault(key, "TLSv1.3").split(",", -1)) {
                if (!TLS_VERSIONS.contains(version.trim())) {
                    addProblem(key, "has \"" + version.trim() + "\"", "only " + TLS_VERSIONS + " are safe");
                }
            }
        }
    }

    private String oneOf(String key, List<String> choices, String otherwise) {
        String value = given.getOrDefault(key, otherwise);
        if (!choices.contains(value)) {
            String near = SpellingSuggestion.nearest(value, choices);
            addProblem(
                    key,
                    "must be one of " + String.join(", ", choices),
                    near == null ? "use one of these" : "did you mean " + near + "?");
            return otherwise;
        }
        return value;
    }

    private boolean checkReadable(String key) {
        boolean readable;
        try {
            readable = Files.isReadable(Path.of(given.getOrDefault(key, "")));
        } catch (InvalidPathException e) {
            readable = false;
        }
        if (!readable) {
            addProblem(
                    key, "is not a file that this process can read", "check the path, the mount and the file's mode");
        }
        return readable;
    }

    /** Rejects control characters: JAAS ends a value at the end of a line, and no account needs such characters. */
    private void checkNoControlCharacters(String key, String text) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            addProblem(key, "has control characters", "remove them");
        }
    }

    private void addProblem(String key, String problem, String remedy) {
        String value = given.getOrDefault(key, "");
        String shown = value.isEmpty() || !AllowedClientProperties.isSecret(key) ? value : HIDDEN;
        problems.add(new KafkaClientSettings.SettingProblem(key, shown, problem, remedy));
    }

    private static String messageOf(ConfigException e) {
        String message = e.getMessage();
        return message == null ? "see Kafka's documentation" : message;
    }
}
