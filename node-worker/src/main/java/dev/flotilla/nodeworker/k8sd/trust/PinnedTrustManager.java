package dev.flotilla.nodeworker.k8sd.trust;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts one certificate, whatever its name. It is an extended trust manager, so that the JDK does not verify names.
 */
public final class PinnedTrustManager extends X509ExtendedTrustManager {
    private final CertificatePin certificatePin;

    public PinnedTrustManager(CertificatePin certificatePin) {
        this.certificatePin = certificatePin;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0 || !CertificatePin.pinOf(chain[0]).equals(certificatePin)) {
            throw new Mismatch();
        }
    }

    /** Whether a connection failed because the node shows another certificate. */
    public static boolean isMismatch(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Mismatch) {
                return true;
            }
        }
        return false;
    }

    private static final class Mismatch extends CertificateException {
        private static final long serialVersionUID = 1;

        Mismatch() {
            super("the node shows another certificate than the one that is pinned");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("client certificates are not accepted");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("client certificates are not accepted");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("client certificates are not accepted");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
