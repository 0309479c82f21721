{{- define "swiftprof.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "swiftprof.selector" -}}
app.kubernetes.io/name: swiftprof
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The pods that answer callers. */}}
{{- define "swiftprof.servers" -}}
{{ include "swiftprof.selector" . }}
{{- if .Values.fleet.enabled }}
app.kubernetes.io/component: gateway
{{- end }}
{{- end -}}

{{/* How a process of a fleet finds the NATS servers, and proves who it is. */}}
{{- define "swiftprof.fleet" -}}
- --fleet={{ .Values.fleet.url }}
- --fleet-nkey=/etc/swiftprof-fleet/nkey
{{- if .Values.fleet.ca.secret }}
- --fleet-ca=/etc/swiftprof-fleet-ca/ca.crt
{{- end }}
{{- end -}}

{{/* Settings as TOML. Helm's own toToml would write whole numbers as fractions. */}}
{{- define "swiftprof.settings" -}}
{{- range $name, $value := .Values.settings }}
{{- if not (kindIs "map" $value) }}
{{ $name }} = {{ toJson $value }}
{{- end }}
{{- end }}
{{- range $table, $values := .Values.settings }}
{{- if kindIs "map" $values }}
[{{ $table }}]
{{- range $name, $value := $values }}
{{ $name }} = {{ toJson $value }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "swiftprof.labels" -}}
{{ include "swiftprof.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}
