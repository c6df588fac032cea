"""The spans of logged episodes on their way out: as OTLP JSON lines, or to a collector through OpenTelemetry's SDK."""
