{{/* Labels that select the pods of a role: (dict "root" $ "role" "api"). */}}
{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "svc.name" -}}
{{ printf "%s-%s" .root.Release.Name .role | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "svc.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Settings, those of the role in place of the common ones, and the names of the files with the secrets. */}}
{{- define "svc.env" -}}
{{- range $name, $value := merge (dict) (.own | default (dict)) .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- range .root.Values.secretSettings }}
- name: {{ . }}_FILE
  value: /run/secrets/svc/{{ . }}
{{- end }}
{{- end }}

{{/* What every container of the chart may do: read its image, and write to /tmp. */}}
{{- define "svc.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "svc.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "svc.mounts" -}}
- name: secrets
  mountPath: /run/secrets/svc
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- end }}

{{- define "svc.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secretName }}
    defaultMode: 0440
- name: tmp
  emptyDir: {}
{{- end }}
