package dev.flotilla.runtime.kafka;

import java.util.Map;

/** How clients reach Kafka: the properties that all of them share, checked before. */
public interface KafkaClients {
    Map<String, Object> properties();
}
