{{/*
What one process needs: ServiceAccount, ConfigMap, Deployment, and, if they are switched on, NetworkPolicy, PodDisruptionBudget,
Service, PodMonitor or ServiceMonitor, and Certificates. Written in deploy/charts/common; deploy/charts/update copies it into each chart.

Takes a dict: root (the chart's context), name (the process), values (the values of this process), data (its ConfigMap), args, port,
portName, usesKafka, usesApiServer, usesInstance (the name of its pod is its --instance), principal (its user in Kafka), ingress (more
peers of the NetworkPolicy), egress (more rules), fromAnywhere (the API server calls it, which no NetworkPolicy can name), image (the name, if it is not the process's), hasService, dnsNames (more names of its certificate), secondPort (name, port and the namespaces that reach it; without hasService
the Service leads there), grace, configSecret (a Secret instead of the ConfigMap), exportsTraces (if values tracing say where to),
readsOrchestrator (it has the token of the orchestrator's API), delegatesSecret (the Secret with the CAs of delegates),
checksSecret (the Secret with the files of checks).
*/}}

{{- define "flotilla.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/part-of: flotilla
{{- end }}

{{/* Labels of objects, which may change with each version. Pods have only the first two. */}}
{{- define "flotilla.objectLabels" -}}
{{ include "flotilla.labels" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The image of a process. Takes root and name. */}}
{{- define "flotilla.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s%s" $image.prefix .name -}}
{{- with $image.registry }}{{ $name = printf "%s/%s" . $name }}{{ end -}}
{{- with get ($image.digests | default dict) .name -}}
{{ $name }}@{{ . }}
{{- else -}}
{{ $name }}:{{ $image.tag | default $.root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "flotilla.brokers" -}}
{{ required "kafka.bootstrapServers is empty: set it to the brokers, each as host:port, separated by commas" .Values.kafka.bootstrapServers }}
{{- end }}

{{/* Settings of the Kafka client without secrets, as YAML. */}}
{{- define "flotilla.kafkaClient" -}}
{{- $client := deepCopy (.Values.kafka.client | default dict) -}}
{{- if .Values.certManager.kafkaClients.enabled -}}
{{- $_ := set $client "ssl.keystore.type" "PEM" -}}
{{- $_ := set $client "ssl.keystore.location" "/etc/flotilla/kafka/keystore.pem" -}}
{{- end -}}
{{ toYaml $client }}
{{- end }}

{{/* The settings that all processes with a file have in common, as YAML. Takes root, port, usesKafka and exportsTraces. */}}
{{- define "flotilla.commonConfig" -}}
{{- if .usesKafka }}
kafka:
  bootstrapServers: {{ include "flotilla.brokers" .root | quote }}
  client:
    {{- include "flotilla.kafkaClient" .root | nindent 4 }}
  {{- if not .root.Values.certManager.kafkaClients.enabled }}
  secretsFile: /etc/flotilla/kafka/secrets.properties
  {{- end }}
{{- end }}
server:
  listen: 0.0.0.0:{{ .port }}
  tls: {certFile: /etc/flotilla/tls/tls.crt, keyFile: /etc/flotilla/tls/tls.key}
  tokenFile: /etc/flotilla/token/token
{{- with .root.Values.log }}
log:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- $tracing := .root.Values.tracing | default dict }}
{{- if and .exportsTraces $tracing.endpoint }}
tracing:
  endpoint: {{ $tracing.endpoint | quote }}
  {{- if $tracing.headersSecret }}
  headersFile: /etc/flotilla/traces-headers/headers
  {{- end }}
  {{- if $tracing.caSecret }}
  caFile: /etc/flotilla/traces-ca/ca.crt
  {{- end }}
{{- end }}
{{- end }}

{{/*
The documents of files that the plain manifests have too, in the namespace of the release. Takes root, files, except (kinds to leave out),
settings (those of an ExtensionConfig), and caBundle (of webhooks). A Role of namespace fleet is written once for each namespace of values clusters.
*/}}
{{- define "flotilla.documents" -}}
{{- $root := .root -}}
{{- $namespace := .root.Release.Namespace -}}
{{- $except := .except | default list -}}
{{- $settings := .settings -}}
{{- $caBundle := .caBundle -}}
{{- range $file := .files }}
{{- $text := $root.Files.Get $file }}
{{- if not $text }}{{ fail (printf "the chart has no file %s" $file) }}{{ end }}
{{- $text = regexReplaceAll "namespace: flotilla([,}\\s])" $text (printf "namespace: %q${1}" $namespace) }}
{{- $text = replace "kubernetes.io/metadata.name: flotilla}" (printf "kubernetes.io/metadata.name: %q}" $namespace) $text }}
{{- $text = replace "from-secret: flotilla/" (printf "from-secret: %s/" $namespace) $text }}
{{- $text = replace "inject-ca-from: flotilla/" (printf "inject-ca-from: %s/" $namespace) $text }}
{{- $text = replace ".flotilla.svc" (printf ".%s.svc" $namespace) $text }}
{{- range $document := regexSplit "(?m)^---\\n" $text -1 }}
{{- $object := fromYaml $document }}
{{- $wanted := and $object.kind (not (has $object.kind $except)) }}
{{- if $wanted }}
{{- $labels := include "flotilla.objectLabels" (dict "root" $root "name" $root.Chart.Name) | fromYaml }}
{{- $_ := set $object.metadata "labels" (merge (deepCopy ($object.metadata.labels | default dict)) $labels) }}
{{- if and (eq $object.kind "ExtensionConfig") $settings }}{{ $_ := set $object.spec "settings" $settings }}{{ end }}
{{- if and (eq $object.kind "MutatingWebhookConfiguration") $caBundle }}
{{- range $object.webhooks }}{{ $_ := set .clientConfig "caBundle" $caBundle }}{{ end }}
{{- end }}
{{- if eq ($object.metadata.namespace | default "") "fleet" }}
{{- include "flotilla.forClusters" (dict "root" $root "object" $object) }}
{{- else }}
---
{{ toYaml $object }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* An object of the example namespace fleet and its example cluster blue, for the namespaces and clusters of the values. */}}
{{- define "flotilla.forClusters" -}}
{{- $object := .object -}}
{{- $namespaces := dict -}}
{{- range .root.Values.clusters }}
{{- $_ := set $namespaces .namespace (append (get $namespaces .namespace | default list) .name) }}
{{- end }}
{{- range $namespace, $names := $namespaces }}
{{- if eq $object.kind "ConfigMap" }}
{{- range $names }}
{{- $copy := deepCopy $object }}
{{- $_ := set $copy.metadata "namespace" $namespace }}
{{- $_ := set $copy.metadata "name" (replace "blue-" (printf "%s-" .) $copy.metadata.name) }}
{{- $_ := set $copy.metadata.labels "cluster.x-k8s.io/cluster-name" . }}
{{- $_ := set $copy.metadata "annotations" (dict "helm.sh/resource-policy" "keep") }}
---
{{ toYaml $copy }}
{{- end }}
{{- else }}
{{- $copy := deepCopy $object }}
{{- $_ := set $copy.metadata "namespace" $namespace }}
{{- range $rule := $copy.rules | default list }}
{{- if $rule.resourceNames }}
{{- $all := list }}
{{- range $name := $names }}{{ range $rule.resourceNames }}{{ $all = append $all (replace "blue-" (printf "%s-" $name) .) }}{{ end }}{{ end }}
{{- $_ := set $rule "resourceNames" $all }}
{{- end }}
{{- end }}
---
{{ toYaml $copy }}
{{- end }}
{{- end }}
{{- end }}

{{/* The groups of alert rules with these names. Takes root and groups. */}}
{{- define "flotilla.rules" -}}
{{- $wanted := .groups -}}
{{- $groups := list -}}
{{- range (.root.Files.Get "files/alerts/flotilla-rules.yaml" | replace "https://flotilla.dev/docs/" .root.Values.monitoring.rules.docs | fromYaml).groups }}
{{- if has .name $wanted }}{{ $groups = append $groups . }}{{ end }}
{{- end }}
{{- if ne (len $groups) (len $wanted) }}{{ fail (printf "not all of these groups of rules exist: %s" (join ", " $wanted)) }}{{ end -}}
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: {{ .root.Chart.Name }}
  namespace: {{ .root.Release.Namespace | quote }}
  labels:
    {{- include "flotilla.objectLabels" (dict "root" .root "name" .root.Chart.Name) | nindent 4 }}
    {{- with .root.Values.monitoring.rules.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- toYaml (dict "groups" $groups) | nindent 2 }}
{{- end }}

{{/* A ConfigMap for each dashboard, as Grafana's sidecar loads them. */}}
{{- define "flotilla.dashboards" -}}
{{- $root := . -}}
{{- range $file, $content := .Files.Glob "files/dashboards/*.json" }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $root.Chart.Name }}-{{ base $file | trimSuffix ".json" }}
  namespace: {{ $root.Release.Namespace | quote }}
  labels:
    {{- include "flotilla.objectLabels" (dict "root" $root "name" $root.Chart.Name) | nindent 4 }}
    {{- with $root.Values.monitoring.dashboards.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
data:
  {{ base $file }}: |
    {{- toString $content | trimSuffix "\n" | nindent 4 }}
{{- end }}
{{- end }}

{{/* The egress rule for DNS, as a list of one. Values of an earlier chart have neither namespace nor port. */}}
{{- define "flotilla.dnsRules" -}}
{{- $policies := .Values.networkPolicies -}}
- to:
    - namespaceSelector:
        matchLabels: {kubernetes.io/metadata.name: {{ $policies.dnsNamespace | default "kube-system" | quote }}}
  ports:
    - {protocol: UDP, port: {{ $policies.dnsPort | default 53 }}}
    - {protocol: TCP, port: {{ $policies.dnsPort | default 53 }}}
{{- end }}

{{/* The ports of the brokers, as JSON: those of the values, and those by which a client reaches the first broker. */}}
{{- define "flotilla.kafkaPorts" -}}
{{- $ports := list -}}
{{- range .Values.networkPolicies.kafkaPorts }}{{ $ports = append $ports (int .) }}{{ end -}}
{{- range splitList "," (include "flotilla.brokers" .) }}{{ $ports = append $ports (regexFind "[0-9]+$" . | int) }}{{ end -}}
{{- uniq $ports | toJson -}}
{{- end }}

{{/*
NetworkPolicies of the whole namespace: nothing but DNS. Without denyByDefault they allow DNS to the pods of Flotilla, which have policies
for their egress, and leave other pods alone. Their names have the chart's, so that both charts fit in one namespace.
*/}}
{{- define "flotilla.namespacePolicies" -}}
{{- $root := . -}}
{{- $deny := .Values.networkPolicies.denyByDefault -}}
{{- range $document := regexSplit "(?m)^---\\n" (.Files.Get "files/namespace/namespace.yaml") -1 }}
{{- $object := fromYaml $document }}
{{- if and (eq ($object.kind | default "") "NetworkPolicy") (or $deny (eq $object.metadata.name "dns")) }}
{{- if eq $object.metadata.name "dns" }}
{{- $_ := set $object.spec "egress" (include "flotilla.dnsRules" $root | fromYamlArray) }}
{{- if not $deny }}
{{- $_ := set $object.spec "podSelector" (dict "matchLabels" (dict "app.kubernetes.io/part-of" "flotilla")) }}
{{- end }}
{{- end }}
---
apiVersion: {{ $object.apiVersion }}
kind: NetworkPolicy
metadata:
  name: {{ $root.Chart.Name }}-{{ $object.metadata.name }}
  namespace: {{ $root.Release.Namespace | quote }}
  labels:
    {{- include "flotilla.objectLabels" (dict "root" $root "name" $root.Chart.Name) | nindent 4 }}
spec:
  {{- toYaml $object.spec | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* Kafka's topics and users, as objects of Strimzi. Takes root, site, which replaces $site, and except (users to leave out). */}}
{{- define "flotilla.strimzi" -}}
{{- $root := .root -}}
{{- $strimzi := .root.Values.strimzi -}}
{{- $kafka := .root.Files.Get "files/kafka.yaml" | replace "$site" (.site | default "") | fromYaml -}}
{{- $labels := include "flotilla.objectLabels" (dict "root" .root "name" .root.Chart.Name) | fromYaml -}}
{{- $_ := set $labels "strimzi.io/cluster" $strimzi.cluster -}}
{{- $annotations := ternary (dict "helm.sh/resource-policy" "keep") dict $strimzi.keepTopics -}}
{{- range $kafka.topics }}
{{- $config := deepCopy .config }}
{{- if lt (int $strimzi.brokers) 3 }}{{ $_ := set $config "min.insync.replicas" "1" }}{{ end }}
---
apiVersion: {{ $strimzi.apiVersion }}
kind: KafkaTopic
metadata:
  name: {{ .name }}
  namespace: {{ $strimzi.namespace | default $root.Release.Namespace | quote }}
  labels:
    {{- toYaml $labels | nindent 4 }}
  {{- with $annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  topicName: {{ .name }}
  partitions: {{ .partitions }}
  replicas: {{ ternary 1 3 (lt (int $strimzi.brokers) 3) }}
  config:
    {{- toYaml $config | nindent 4 }}
{{- end }}
{{- $except := .except | default list -}}
{{- range $kafka.users }}
{{- if not (has .name $except) }}
---
apiVersion: {{ $strimzi.apiVersion }}
kind: KafkaUser
metadata:
  name: {{ .name }}
  namespace: {{ $strimzi.namespace | default $root.Release.Namespace | quote }}
  labels:
    {{- toYaml $labels | nindent 4 }}
spec:
  authentication:
    type: {{ ternary "tls-external" $strimzi.authentication $root.Values.certManager.kafkaClients.enabled }}
  authorization:
    type: simple
    acls:
      {{- toYaml .acls | nindent 6 }}
{{- end }}
{{- end }}
{{- end }}

{{/*
How the Prometheus operator scrapes a process. Takes root, name, usesKafka, kind (PodMonitor or ServiceMonitor), endpoints (their field),
port (its name), and settings (the values of this kind).
*/}}
{{- define "flotilla.monitor" }}
---
apiVersion: monitoring.coreos.com/v1
kind: {{ .kind }}
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace | quote }}
  labels:
    {{- include "flotilla.objectLabels" (dict "name" .name "root" .root) | nindent 4 }}
    {{- with .settings.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ .name }}
  {{ .endpoints }}:
    - port: {{ .port }}
      path: /metrics
      scheme: https
      interval: {{ .settings.interval }}
      authorization:
        credentials: {name: {{ .name }}-token, key: token}
      tlsConfig:
        serverName: {{ .name }}.{{ .root.Release.Namespace }}.svc
        ca:
          secret: {name: {{ .name }}-tls, key: ca.crt}
      {{- $targetLabels := dict }}
      {{- with .settings.fleet }}{{ $_ := set $targetLabels "fleet" . }}{{ end }}
      {{- /* The other processes of a site have the label of their own. */}}
      {{- if not .usesKafka }}{{ with .root.Values.site }}{{ $_ := set $targetLabels "site" . }}{{ end }}{{ end }}
      {{- if $targetLabels }}
      relabelings:
        {{- range $label, $value := $targetLabels }}
        - {targetLabel: {{ $label }}, replacement: {{ $value | quote }}}
        {{- end }}
      {{- end }}
{{- end }}

{{- define "flotilla.component" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $process := .values -}}
{{- $name := printf "flotilla-%s" .name -}}
{{- $namespace := .root.Release.Namespace -}}
{{- $labels := include "flotilla.labels" (dict "name" $name) -}}
{{- $objectLabels := include "flotilla.objectLabels" (dict "name" $name "root" .root) -}}
{{- $portName := .portName | default "http" -}}
{{- $kafkaClients := and .usesKafka $values.certManager.kafkaClients.enabled -}}
{{- $tracing := dict -}}
{{- if and .exportsTraces ($values.tracing | default dict).endpoint }}{{ $tracing = $values.tracing }}{{ end -}}
{{- /* Values that an earlier chart had not: an upgrade with --reuse-values lacks them. */}}
{{- $spread := $values.topologySpread.whenUnsatisfiable | default "ScheduleAnyway" -}}
{{- $serviceMonitors := $values.monitoring.serviceMonitors | default dict -}}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
automountServiceAccountToken: false
{{- with $values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if not .configSecret }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $name }}
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
data:
  {{- toYaml .data | nindent 2 }}
{{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
spec:
  replicas: {{ $process.replicas }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ $name }}
  template:
    metadata:
      labels:
        {{- $labels | nindent 8 }}
      annotations:
        # A process reads its configuration once: another one needs other pods.
        checksum/config: {{ toYaml .data | sha256sum }}
        {{- with $process.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ $name }}
      automountServiceAccountToken: {{ .usesApiServer }}
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .grace | default 60 }}
      {{- with $values.priorityClassName }}
      priorityClassName: {{ . | quote }}
      {{- end }}
      {{- with $process.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $process.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if and $values.topologySpread.enabled (gt (int $process.replicas) 1) }}
      topologySpreadConstraints:
        {{- range $values.topologySpread.topologyKeys }}
        - maxSkew: 1
          topologyKey: {{ . | quote }}
          whenUnsatisfiable: {{ $spread }}
          labelSelector:
            matchLabels:
              app.kubernetes.io/name: {{ $name }}
          {{- if eq $spread "DoNotSchedule" }}
          # Pods of the version before, which an update deletes afterwards, do not count: two new ones could share a node.
          matchLabelKeys: [pod-template-hash]
          {{- end }}
        {{- end }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: {{ .name }}
          image: {{ include "flotilla.image" (dict "root" $root "name" (.image | default .name)) | quote }}
          {{- with $values.image.pullPolicy }}
          imagePullPolicy: {{ . }}
          {{- end }}
          args:
            {{- toYaml .args | nindent 12 }}
            {{- if .usesInstance }}
            # In logs, on objects and in Kafka.
            - --instance=$(POD_NAME)
            {{- end }}
          env:
            {{- if .usesInstance }}
            - name: POD_NAME
              valueFrom: {fieldRef: {fieldPath: metadata.name}}
            {{- end }}
            - name: JAVA_TOOL_OPTIONS
              value: {{ $process.javaOptions | quote }}
          ports:
            - name: {{ $portName }}
              containerPort: {{ .port }}
            {{- with .secondPort }}
            - name: {{ .name }}
              containerPort: {{ .port }}
            {{- end }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          resources:
            {{- toYaml ($process.resources | default dict) | nindent 12 }}
          {{- if $values.startupProbes.enabled }}
          startupProbe:
            httpGet: {path: /healthz, port: {{ $portName }}, scheme: HTTPS}
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: {{ div (int $values.startupProbes.seconds) 2 }}
          {{- end }}
          # Restoring its state may take minutes, during which it is healthy. On a busy node a handshake takes longer than a second.
          livenessProbe:
            httpGet: {path: /healthz, port: {{ $portName }}, scheme: HTTPS}
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: {path: {{ .readyPath | default "/readyz" }}, port: {{ $portName }}, scheme: HTTPS}
            periodSeconds: 5
            timeoutSeconds: 5
          volumeMounts:
            - {name: config, mountPath: /etc/flotilla/config, readOnly: true}
            {{- if .usesKafka }}
            - {name: kafka, mountPath: /etc/flotilla/kafka, readOnly: true}
            {{- end }}
            - {name: tls, mountPath: /etc/flotilla/tls, readOnly: true}
            - {name: token, mountPath: /etc/flotilla/token, readOnly: true}
            {{- if .readsOrchestrator }}
            - {name: orchestrator-token, mountPath: /etc/flotilla/orchestrator-token, readOnly: true}
            {{- end }}
            {{- if $tracing.headersSecret }}
            - {name: traces-headers, mountPath: /etc/flotilla/traces-headers, readOnly: true}
            {{- end }}
            {{- if $tracing.caSecret }}
            - {name: traces-ca, mountPath: /etc/flotilla/traces-ca, readOnly: true}
            {{- end }}
            {{- if .delegatesSecret }}
            - {name: delegates, mountPath: /etc/flotilla/delegates, readOnly: true}
            {{- end }}
            {{- if .checksSecret }}
            - {name: checks, mountPath: /etc/flotilla/checks, readOnly: true}
            {{- end }}
            # The Kafka client unpacks its compression library there.
            - {name: tmp, mountPath: /tmp}
      volumes:
        - name: config
          {{- if .configSecret }}
          secret: {secretName: {{ .configSecret | quote }}, defaultMode: 0440}
          {{- else }}
          configMap: {name: {{ $name }}}
          {{- end }}
        {{- if $kafkaClients }}
        - name: kafka
          projected:
            defaultMode: 0440
            sources:
              - secret:
                  name: {{ $name }}-kafka-client
                  items: [{key: tls-combined.pem, path: keystore.pem}]
              - secret:
                  name: {{ $values.kafka.caSecret.name | quote }}
                  items: [{key: {{ $values.kafka.caSecret.key | quote }}, path: ca.pem}]
        {{- else if .usesKafka }}
        - name: kafka
          secret: {secretName: {{ $name }}-kafka, defaultMode: 0440}
        {{- end }}
        - name: tls
          secret: {secretName: {{ $name }}-tls, defaultMode: 0440}
        - name: token
          secret: {secretName: {{ $name }}-token, defaultMode: 0440}
        {{- if .readsOrchestrator }}
        - name: orchestrator-token
          secret: {secretName: flotilla-orchestrator-token, defaultMode: 0440}
        {{- end }}
        {{- with $tracing.headersSecret }}
        - name: traces-headers
          secret: {secretName: {{ . | quote }}, defaultMode: 0440, items: [{key: headers, path: headers}]}
        {{- end }}
        {{- with $tracing.caSecret }}
        - name: traces-ca
          secret: {secretName: {{ . | quote }}, defaultMode: 0440, items: [{key: ca.crt, path: ca.crt}]}
        {{- end }}
        {{- with .delegatesSecret }}
        - name: delegates
          secret: {secretName: {{ . | quote }}, defaultMode: 0440}
        {{- end }}
        {{- with .checksSecret }}
        - name: checks
          secret: {secretName: {{ . | quote }}, defaultMode: 0440}
        {{- end }}
        - name: tmp
          emptyDir: {sizeLimit: 64Mi}
{{- if $values.networkPolicies.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ $name }}
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: {{ $name }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if .fromAnywhere }}
    # Prometheus and the API server, which no policy can name. Everything but the webhook and probes needs the token.
    - ports:
        - {protocol: TCP, port: {{ .port }}}
    {{- else }}
    # Probes come from the node, which network policies do not block.
    - from:
        {{- with .ingress }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        - namespaceSelector:
            matchLabels: {kubernetes.io/metadata.name: {{ $values.networkPolicies.monitoringNamespace | quote }}}
      ports:
        - {protocol: TCP, port: {{ .port }}}
    {{- end }}
    {{- with .secondPort }}
    - from:
        - namespaceSelector:
            matchExpressions:
              - {key: kubernetes.io/metadata.name, operator: In, values: {{ toJson .namespaces }}}
      ports:
        - {protocol: TCP, port: {{ .port }}}
    {{- end }}
  egress:
    {{- if .usesKafka }}
    # The brokers.
    - ports:
        {{- range include "flotilla.kafkaPorts" $root | fromJsonArray }}
        - {protocol: TCP, port: {{ . }}}
        {{- end }}
    {{- end }}
    {{- if .usesApiServer }}
    # The API servers.
    - ports:
        {{- range $values.networkPolicies.apiServerPorts }}
        - {protocol: TCP, port: {{ . }}}
        {{- end }}
    {{- end }}
    {{- with $tracing.endpoint }}
    # The collector of traces.
    - ports:
        - {protocol: TCP, port: {{ regexFind ":[0-9]+$" (urlParse .).host | trimPrefix ":" | default "443" }}}
    {{- end }}
    {{- with .egress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- if and $values.podDisruptionBudgets.enabled (gt (int $process.replicas) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ $name }}
{{- end }}
{{- $podMonitors := $values.monitoring.podMonitors }}
{{- if and $podMonitors.enabled $serviceMonitors.enabled }}
{{- fail "monitoring.podMonitors and monitoring.serviceMonitors would scrape each pod twice: enable one of them" }}
{{- end }}
{{- $scraped := or ($values.services | default dict).enabled $serviceMonitors.enabled }}
{{- if or .hasService .secondPort $scraped }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
spec:
  selector:
    app.kubernetes.io/name: {{ $name }}
  ports:
    {{- if or .hasService .secondPort }}
    - {name: https, port: 443, targetPort: {{ .hasService | ternary $portName (.secondPort | default dict).name }}}
    {{- end }}
    {{- if $scraped }}
    # The same name in all Services, also where port https leads elsewhere or is missing.
    - {name: metrics, port: {{ .port }}, targetPort: {{ $portName }}}
    {{- end }}
{{- end }}
{{- if $podMonitors.enabled }}
{{- include "flotilla.monitor" (dict "root" $root "name" $name "usesKafka" .usesKafka "kind" "PodMonitor" "endpoints" "podMetricsEndpoints"
      "port" $portName "settings" $podMonitors) }}
{{- end }}
{{- if $serviceMonitors.enabled }}
{{- include "flotilla.monitor" (dict "root" $root "name" $name "usesKafka" .usesKafka "kind" "ServiceMonitor" "endpoints" "endpoints"
      "port" "metrics" "settings" $serviceMonitors) }}
{{- end }}
{{- if $values.certManager.enabled }}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: {{ $name }}
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
spec:
  secretName: {{ $name }}-tls
  dnsNames: {{ toJson (concat (list (printf "%s.%s.svc" $name $namespace)) (.dnsNames | default list)) }}
  privateKey: {algorithm: ECDSA, encoding: PKCS8, rotationPolicy: Always}
  issuerRef:
    {{- toYaml $values.certManager.issuer | nindent 4 }}
{{- end }}
{{- if $kafkaClients }}
{{- if gt (len .principal) 64 }}
{{- fail (printf "certManager.kafkaClients: the common name %s is longer than 64 characters, which no certificate may have: use a shorter name of the site, or make the Secrets flotilla-NAME-kafka without cert-manager" .principal) }}
{{- end }}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: {{ $name }}-kafka-client
  namespace: {{ $namespace | quote }}
  labels:
    {{- $objectLabels | nindent 4 }}
spec:
  secretName: {{ $name }}-kafka-client
  # The user in Kafka.
  commonName: {{ .principal | quote }}
  usages: [client auth]
  privateKey: {algorithm: ECDSA, encoding: PKCS8, rotationPolicy: Always}
  # Key and certificate in one file, as Kafka's client reads them.
  additionalOutputFormats: [{type: CombinedPEM}]
  issuerRef:
    {{- toYaml $values.certManager.kafkaClients.issuer | nindent 4 }}
{{- end }}
{{- end }}
