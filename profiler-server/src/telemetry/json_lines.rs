//! A log event as one JSON object with flat fields: those of its spans, and its own.

use serde_json::{Map, Value};
use std::fmt;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, JsonFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormattedFields};
use tracing_subscriber::registry::{LookupSpan, Scope};

/// Writes events as JSON. The fields of spans are those that [`JsonFields`] wrote.
pub(super) struct JsonLines;

impl<S> FormatEvent<S, JsonFields> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    JsonFields: for<'writer> FormatFields<'writer>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = Map::new();
        let spans = context.event_scope().into_iter().flat_map(Scope::from_root);
        for span in spans {
            let extensions = span.extensions();
            let written = extensions.get::<FormattedFields<JsonFields>>();
            let read = written.and_then(|written| serde_json::from_str(written).ok());
            fields.extend(read.unwrap_or_else(Map::new));
        }
        event.record(&mut Fields(&mut fields));
        let mut timestamp = String::new();
        SystemTime.format_time(&mut Writer::new(&mut timestamp))?;
        let metadata = event.metadata();
        fields.insert("timestamp".into(), timestamp.into());
        fields.insert("level".into(), metadata.level().as_str().into());
        fields.insert("target".into(), metadata.target().into());
        writeln!(writer, "{}", Value::Object(fields))
    }
}

/// Collects the fields of an event.
struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    fn add(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().into(), value.into());
    }
}

impl Visit for Fields<'_> {
    /// JSON has no infinity; it becomes null.
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};
    use tracing_subscriber::layer::SubscriberExt;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn event_is_one_object_with_the_fields_of_its_spans() {
        let written = Written::default();
        let writer = written.clone();
        let layer = tracing_subscriber::fmt::layer()
            .with_writer(move || writer.clone())
            .fmt_fields(JsonFields::new())
            .event_format(JsonLines);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let span = tracing::info_span!("job", run_id = "a\nb", size = 3);
            let text = "two\nlines";
            span.in_scope(|| tracing::info!(size = 7, ms = 0.5, %text, "measured"));
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        let line: Value = serde_json::from_str(&text).unwrap();
        let expected = [
            ("message", Value::from("measured")),
            ("run_id", "a\nb".into()),
            ("size", 7.into()),
            ("ms", 0.5.into()),
            ("text", "two\nlines".into()),
            ("level", "INFO".into()),
        ];
        for (name, value) in expected {
            assert_eq!(line[name], value, "{name}");
        }
        assert!(line["timestamp"].as_str().unwrap().ends_with('Z'), "{line}");
    }
}
