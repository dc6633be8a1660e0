package dev.flotilla.cli.support;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks secrets in a text of any form: JSON, YAML, properties, logs, command lines. It masks too much rather than too little: what
 * follows a name such as {@code password} is masked whatever it is.
 */
final class SecretRedactor {
    static final String MASK = "***";

    /** A shorter secret may be part of any word. */
    private static final int SHORTEST_KNOWN = 6;

    private static final String NAMES =
            "pass(?:word|wd|phrase)|pwd|secrets?|tokens?|credentials?|cookies?|authorization|jaas[.]config|kubeconfig"
                    + "|(?:api|access|private|secret|client|signing|encryption|host)[-_.]?key(?:[-_.]?data)?|keystore[.]key"
                    + "|(?:client[-_]?certificate|certificate[-_]?authority)[-_]?data|key-?data|string-?data|user-?data"
                    + "|bootstrap-?data|cloud-?(?:config|init)|last-applied-configuration|annotations";

    private static final String SECRET_NAME =
            "(?:" + NAMES + ")s?(?:[-_.]?(?:value|data|text|string|plain|base64|b64|hash|[0-9]+))?";

    /** The end of a secret's name, with what separates it from the value. */
    private static final Pattern NAMED =
            Pattern.compile(SECRET_NAME + "(?:\\\\*[\"']?[ \\t]*[:=]|(?=[ \\t]))", Pattern.CASE_INSENSITIVE);

    /** Name and value in two fields, such as a variable of a container. */
    private static final Pattern NAME_AND_VALUE = Pattern.compile(
            "name\\\\*[\"']?\\s*[:=]\\s*\\\\*[\"']?[\\w./-]{0,253}?" + SECRET_NAME
                    + "\\\\*[\"']?\\s*,?\\s*\\\\*[\"']?value\\\\*[\"']?\\s*[:=]",
            Pattern.CASE_INSENSITIVE);

    /** The values of a Secret may have any names. */
    private static final Pattern SECRET_OBJECT = Pattern.compile("kind\\\\*[\"']?\\s*:\\s*\\\\*[\"']?Secret\\b");

    private static final Pattern DATA_OF_SECRET = Pattern.compile("\\b(?:data|value)\\\\*[\"']?[ \\t]*:");

    /** User and password in the address of something; the password may have any character. */
    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^\\s\"'<>]{1,2000}@");

    private static final Pattern SCHEME =
            Pattern.compile("\\b(Bearer|Basic|Negotiate)[ \\t]+[\\w.~+/-]{6,}={0,2}", Pattern.CASE_INSENSITIVE);
    private static final Pattern JSON_WEB_TOKEN = Pattern.compile("\\beyJ[\\w-]{5,}(?:[.][\\w-]+)*");
    /** Tokens of services that have a prefix of their own, such as those of GitLab, GitHub, Slack, Vault and npm. */
    private static final Pattern PREFIXED_TOKEN =
            Pattern.compile("\\b(?:glpat-|gldt-|gh[pousr]_|github_pat_|xox[abprs]-|hv[sbr][.]|npm_|AKIA)[\\w-]{12,}");

    /** What an element of XML with the name of a secret contains. */
    private static final Pattern ELEMENT =
            Pattern.compile("(<[\\w.:-]*" + SECRET_NAME + ">)[^<]+", Pattern.CASE_INSENSITIVE);

    private static final Pattern BOOTSTRAP_TOKEN = Pattern.compile("\\b[a-z0-9]{6}[.][a-z0-9]{16}\\b");

    /** A long run of capitals, small letters and digits: a key or an encoded text. Hashes and ids have no capitals. */
    private static final Pattern ENCODED = Pattern.compile("[\\w+/-]{40,}={0,2}");

    private static final String KEY_BEGIN = "-----BEGIN ";
    private static final String KEY_END = "PRIVATE KEY-----";
    private static final List<String> HARMLESS = List.of("true", "false", "null", "none", "{}", "[]", "", MASK);

    /** The forms of secrets that are known, longest first, because one may be part of the encoded form of another. */
    private final List<String> known;

    private SecretRedactor(List<String> known) {
        this.known = known;
    }

    /** Makes a redactor that knows no secret, and masks what looks like one. */
    static SecretRedactor ofUnknownSecrets() {
        return new SecretRedactor(List.of());
    }

    /** Makes a redactor that also masks these secrets wherever they appear, as they are and encoded. */
    SecretRedactor with(Collection<String> secrets) {
        Set<String> all = new LinkedHashSet<>(known);
        secrets.stream()
                .filter(secret -> secret.length() >= SHORTEST_KNOWN)
                .forEach(secret -> all.addAll(forms(secret)));
        return new SecretRedactor(all.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    private static List<String> forms(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        Base64.Encoder unpadded = Base64.getEncoder().withoutPadding();
        return List.of(
                secret,
                unpadded.encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
                URLEncoder.encode(secret, StandardCharsets.UTF_8),
                secret.replace("\\", "\\\\").replace("\"", "\\\""));
    }

    /** Returns the text with its secrets masked. */
    String redact(String text) {
        String masked = text;
        for (String secret : known) {
            masked = masked.replace(secret, MASK);
        }
        masked = maskPrivateKeys(masked);
        masked = USER_INFO.matcher(masked).replaceAll(MASK + "@");
        boolean secretObject = SECRET_OBJECT.matcher(masked).find();
        masked = maskValues(NAMED, masked);
        masked = maskValues(NAME_AND_VALUE, masked);
        masked = secretObject ? maskValues(DATA_OF_SECRET, masked) : masked;
        masked = SCHEME.matcher(masked).replaceAll("$1 " + MASK);
        masked = ELEMENT.matcher(masked).replaceAll("$1" + MASK);
        masked = PREFIXED_TOKEN.matcher(masked).replaceAll(MASK);
        masked = JSON_WEB_TOKEN.matcher(masked).replaceAll(MASK);
        masked = BOOTSTRAP_TOKEN.matcher(masked).replaceAll(MASK);
        return ENCODED.matcher(masked).replaceAll(found -> isEncoded(found.group()) ? MASK : "$0");
    }

    private static boolean isEncoded(String run) {
        return run.chars().anyMatch(Character::isUpperCase)
                && run.chars().anyMatch(Character::isLowerCase)
                && run.chars().anyMatch(Character::isDigit);
    }

    private static String maskValues(Pattern names, String text) {
        StringBuilder out = new StringBuilder(text.length());
        Matcher found = names.matcher(text);
        int done = 0;
        int from = 0;
        while (found.find(from)) {
            int name = nameStart(text, found.start());
            // A name without a colon or an equals sign has a value only if it is an option of a command line.
            boolean hasValue = found.group().endsWith(":") || found.group().endsWith("=") || text.charAt(name) == '-';
            SecretValue value = hasValue ? SecretValue.find(text, name, found.end()) : null;
            from = found.end();
            if (value != null) {
                String secret = text.substring(value.start(), value.end());
                out.append(text, done, value.start()).append(HARMLESS.contains(secret.strip()) ? secret : MASK);
                done = value.end();
                from = Math.max(from, done);
            }
        }
        return out.append(text, done, text.length()).toString();
    }

    private static int nameStart(String text, int from) {
        int start = from;
        while (start > 0 && isOfName(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static boolean isOfName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == '/';
    }

    /** Masks private keys, also those of which the beginning or the end is missing. */
    private static String maskPrivateKeys(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int done = 0;
        int end = text.indexOf(KEY_END);
        while (end >= 0) {
            int line = text.lastIndexOf("-----", end - 1);
            boolean begins = line >= done && text.startsWith(KEY_BEGIN, line);
            int start = begins ? line : keyStart(text, Math.max(line, done), done);
            int close = begins ? text.indexOf(KEY_END, end + KEY_END.length()) : end;
            int stop = close < 0 ? text.length() : close + KEY_END.length();
            out.append(text, done, start).append(MASK);
            done = stop;
            end = text.indexOf(KEY_END, stop);
        }
        return out.append(text, done, text.length()).toString();
    }

    /** Finds the first character of the encoded lines before a position. */
    private static int keyStart(String text, int before, int floor) {
        int start = before;
        while (start > floor && isOfKey(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static boolean isOfKey(char c) {
        return Character.isLetterOrDigit(c)
                || c == '+'
                || c == '/'
                || c == '='
                || c == '\\'
                || Character.isWhitespace(c);
    }
}
