package dev.flotilla.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * As much of an identity provider with OpenID Connect as a login needs: discovery, keys, and a token for a code. It is no real one; a test
 * plays the person who logs in.
 */
final class TestIdentityProvider implements AutoCloseable {
    private static final int KEY_BITS = 2048;
    private static final int SECONDS = 600;

    private final String clientId;
    private final String clientSecret;
    private final KeyPair keys;
    private final HttpServer server;
    private final Map<String, JsonObject> logins = new ConcurrentHashMap<>();
    private final AtomicInteger codes = new AtomicInteger();

    TestIdentityProvider(String clientId, String clientSecret) throws IOException, GeneralSecurityException {
        this.clientId = clientId;
        this.clientSecret = clientSecret;
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(KEY_BITS);
        keys = generator.generateKeyPair();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/.well-known/openid-configuration", exchange -> respond(exchange, 200, discovery()));
        server.createContext("/keys", exchange -> respond(exchange, 200, publicKeys()));
        server.createContext("/token", this::exchangeCode);
        server.start();
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Logs a person in. Returns the code with which the browser goes back to the client. */
    String logIn(String nonce, String email, String... groups) {
        String code = "code-" + codes.incrementAndGet();
        long now = Instant.now().getEpochSecond();
        logins.put(
                code,
                new JsonObject()
                        .put("iss", issuer())
                        .put("aud", clientId)
                        .put("sub", email)
                        .put("email", email)
                        .put("email_verified", true)
                        .put("groups", new JsonArray(List.of(groups)))
                        .put("nonce", nonce)
                        .put("iat", now)
                        .put("exp", now + SECONDS));
        return code;
    }

    private JsonObject discovery() {
        return new JsonObject()
                .put("issuer", issuer())
                .put("authorization_endpoint", issuer() + "/authorize")
                .put("token_endpoint", issuer() + "/token")
                .put("jwks_uri", issuer() + "/keys")
                .put("response_types_supported", new JsonArray().add("code"))
                .put("subject_types_supported", new JsonArray().add("public"))
                .put("id_token_signing_alg_values_supported", new JsonArray().add("RS256"));
    }

    private JsonObject publicKeys() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return new JsonObject()
                .put(
                        "keys",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("kty", "RSA")
                                        .put("use", "sig")
                                        .put("alg", "RS256")
                                        .put("kid", "1")
                                        .put("n", base64(key.getModulus()))
                                        .put("e", base64(key.getPublicExponent()))));
    }

    private void exchangeCode(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> fields = fields(form);
        JsonObject claims = logins.remove(fields.getOrDefault("code", ""));
        String basic = "Basic "
                + Base64.getEncoder().encodeToString((clientId + ":" + clientSecret).getBytes(StandardCharsets.UTF_8));
        boolean isClient = basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                || clientSecret.equals(fields.get("client_secret"));
        if (claims == null || !isClient) {
            respond(exchange, 400, new JsonObject().put("error", "invalid_grant"));
            return;
        }
        respond(
                exchange,
                200,
                new JsonObject()
                        .put("access_token", "opaque")
                        .put("token_type", "Bearer")
                        .put("expires_in", SECONDS)
                        .put("id_token", sign(claims)));
    }

    private String sign(JsonObject claims) throws IOException {
        try {
            String signed = base64(new JsonObject()
                            .put("alg", "RS256")
                            .put("kid", "1")
                            .put("typ", "JWT")
                            .encode())
                    + "." + base64(claims.encode());
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int sign = bytes[0] == 0 ? 1 : 0;
        byte[] magnitude = Arrays.copyOfRange(bytes, sign, bytes.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(magnitude);
    }

    private static void respond(HttpExchange exchange, int status, JsonObject body) throws IOException {
        byte[] bytes = body.encode().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Returns the fields of a query or of a form. */
    static Map<String, String> fields(String text) {
        Map<String, String> fields = new TreeMap<>();
        for (String field : text.split("&")) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(
                        field.substring(0, equals),
                        URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return fields;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
