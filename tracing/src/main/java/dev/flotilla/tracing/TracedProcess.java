package dev.flotilla.tracing;

import dev.flotilla.runtime.process.BuildVersion;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;

/**
 * The process that reports spans, as collectors name it.
 *
 * @param service such as {@code orchestrator}
 * @param instance name of the process among those of its service
 */
public record TracedProcess(String service, String instance) {
    Resource resource() {
        return Resource.create(Attributes.builder()
                .put("service.namespace", "flotilla")
                .put("service.name", "flotilla-" + service)
                .put("service.instance.id", instance)
                .put("service.version", BuildVersion.number())
                .build());
    }
}
