package dev.flotilla.clusterapi;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** An HTTP client that trusts one certificate authority, as Cluster API trusts the {@code caBundle} of an ExtensionConfig. */
public final class TrustingHttpClient {
    private TrustingHttpClient() {}

    static HttpClient open(CertificateAuthority trusted) throws Exception {
        return open(trusted, null);
    }

    /** Opens one that shows a certificate, as a manager with {@code --runtime-extension-client-cert-file} does; null for none. */
    static HttpClient open(CertificateAuthority trusted, @Nullable KeyAndCertificate own) throws Exception {
        KeyStore store = emptyStore();
        store.setCertificateEntry("ca", parse(trusted.certificate()));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own == null ? null : keyManagers(own), trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    /** Returns what a server needs that shows a certificate. */
    public static SSLContext serverContext(KeyAndCertificate own) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers(own), null, null);
        return context;
    }

    private static KeyManager[] keyManagers(KeyAndCertificate own) throws Exception {
        String key = own.key().replaceAll("-----[^-]+-----", "").replaceAll("\\s", "");
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "own",
                KeyFactory.getInstance("EC")
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))),
                new char[0],
                new Certificate[] {parse(own.certificate())});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        return keys.getKeyManagers();
    }

    private static KeyStore emptyStore() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private static Certificate parse(String pem) throws Exception {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }
}
