package dev.stowage.openstack.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Which certificates of a cloud are trusted, as {@code cacert} and {@code verify} say. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    static SSLContext of(CloudSettings settings) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager @Nullable [] trusted = null;
            if (!settings.verifies()) {
                trusted = new TrustManager[] {new Everyone()};
            } else if (settings.certificates().isPresent()) {
                trusted = of(settings.certificates().get());
            }
            context.init(null, trusted, new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new CloudException(settings + ": cacert: " + e.getMessage());
        }
    }

    private static TrustManager[] of(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            int number = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca" + number++, one);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** For {@code verify: false}. An extended manager, so that the JDK does not check the name of the host either. */
    private static final class Everyone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
