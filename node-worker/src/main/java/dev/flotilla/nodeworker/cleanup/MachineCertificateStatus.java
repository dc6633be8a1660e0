package dev.flotilla.nodeworker.cleanup;

import dev.flotilla.nodeworker.pins.CertificatePinKey;
import dev.flotilla.nodeworker.pins.CertificatePinStore;
import dev.flotilla.schemas.id.ClusterKey;

/**
 * The certificate pin of a machine.
 *
 * @param bearer key of the pin: the members of a control plane share one
 */
public record MachineCertificateStatus(
        ClusterKey cluster, CertificatePinKey bearer, CertificatePinStore.CertificateTrust trust) {}
