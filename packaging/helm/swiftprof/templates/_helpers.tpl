{{- define "swiftprof.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "swiftprof.selector" -}}
app.kubernetes.io/name: swiftprof
app.kubernetes.io/instance: {{ .Release.Name }}
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
