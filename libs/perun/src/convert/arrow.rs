//! Writes a data frame as an Arrow IPC file (Feather), which pandas, Polars and R read.

use super::frame::Frame;
use crate::error::Error;
use crate::items::text;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use serde_json::Value;
use std::io::Write;
use std::sync::Arc;

impl Frame {
    /// Writes an Arrow IPC file. A column that has only integers, floats or booleans gets that
    /// type, any other column gets texts. A missing value is null.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn write_arrow(&self, out: impl Write) -> Result<(), Error> {
        write(self, out).map_err(|cause| Error::Arrow(cause.into()))
    }
}

fn write(frame: &Frame, out: impl Write) -> Result<(), ArrowError> {
    let columns = frame.columns().iter().map(|(name, cells)| (name, array(cells), true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns)?;
    let mut writer = FileWriter::try_new(out, &batch.schema())?;
    writer.write(&batch)?;
    writer.finish()
}

fn array(cells: &[Option<Value>]) -> ArrayRef {
    let all = |holds: fn(&Value) -> bool| cells.iter().flatten().all(holds);
    if all(Value::is_i64) {
        let values = cells.iter().map(|cell| cell.as_ref().and_then(Value::as_i64));
        Arc::new(values.collect::<Int64Array>())
    } else if all(Value::is_u64) {
        let values = cells.iter().map(|cell| cell.as_ref().and_then(Value::as_u64));
        Arc::new(values.collect::<UInt64Array>())
    } else if all(Value::is_number) {
        let values = cells.iter().map(|cell| cell.as_ref().and_then(Value::as_f64));
        Arc::new(values.collect::<Float64Array>())
    } else if all(Value::is_boolean) {
        let values = cells.iter().map(|cell| cell.as_ref().and_then(Value::as_bool));
        Arc::new(values.collect::<BooleanArray>())
    } else {
        Arc::new(cells.iter().map(|cell| cell.as_ref().map(text)).collect::<StringArray>())
    }
}
