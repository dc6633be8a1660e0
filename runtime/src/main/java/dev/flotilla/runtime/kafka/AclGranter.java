package dev.flotilla.runtime.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.SecurityDisabledException;

/** Grants rights in Kafka, for whoever may: the one who runs the brokers. It never takes any away. */
public final class AclGranter implements AutoCloseable {
    private final BlockingAdminClient kafka;

    private AclGranter(BlockingAdminClient kafka) {
        this.kafka = kafka;
    }

    /** Opens a client; no broker is asked yet. */
    public static AclGranter connect(KafkaClientSettings settings, Duration deadline) {
        return new AclGranter(BlockingAdminClient.open(settings, deadline));
    }

    /** Grants components their rights, each under the name given; what they have already stays. */
    public void grant(Map<String, KafkaAclPrincipal> byName) {
        List<AclBinding> wanted = byName.entrySet().stream()
                .flatMap(entry -> ComponentAcls.bindingsFor(entry.getValue(), entry.getKey()).stream())
                .toList();
        kafka.call("granting rights", admin -> admin.createAcls(wanted).all());
    }

    /** Grants components their rights under their usual names. */
    public void grant(Collection<KafkaAclPrincipal> components) {
        Map<String, KafkaAclPrincipal> byName = new LinkedHashMap<>();
        components.forEach(kafkaAclPrincipal -> byName.put(kafkaAclPrincipal.usualName(), kafkaAclPrincipal));
        grant(byName);
    }

    /** Whether the brokers ask anybody's rights at all. */
    public boolean hasAuthorizer() {
        try {
            kafka.tryCall(
                    "reading rights",
                    admin -> admin.describeAcls(AclBindingFilter.ANY).values());
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SecurityDisabledException) {
                return false;
            }
            throw kafka.failure("reading rights", e.getCause());
        }
    }

    /** The rights of a component that its principal does not have, as texts for people. */
    public List<String> findMissingAcls(KafkaAclPrincipal kafkaAclPrincipal, String name) {
        Collection<AclBinding> there = kafka.call(
                "reading rights",
                admin -> admin.describeAcls(AclBindingFilter.ANY).values());
        return ComponentAcls.bindingsFor(kafkaAclPrincipal, name).stream()
                .filter(wanted -> !there.contains(wanted))
                .map(AclBinding::toString)
                .collect(Collectors.toList());
    }

    @Override
    public void close() {
        kafka.close();
    }
}
