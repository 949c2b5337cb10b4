//! Whole tuning files.

use crate::{
    Fingerprint, InstanceModel, MachineModels, TransferModel, TuningFile,
    json::{
        Fields, Json, Malformed, entries, text,
        units::{by_unit, by_unit_to_json},
    },
};

const MAX_MACHINES: usize = 1024;
const MAX_INSTANCES: usize = 16 << 10;

impl MachineModels {
    /// As in tuning files.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("fingerprint", self.fingerprint.to_json()),
            (
                "transfers",
                by_unit_to_json(&self.transfers, TransferModel::to_json),
            ),
            (
                "instances",
                Json::list(self.instances.iter().map(InstanceModel::to_json)),
            ),
        ])
    }

    /// # Errors
    /// [`Malformed`] if it is something else, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<MachineModels, Malformed> {
        let fields = Fields::of(json)?;
        Ok(MachineModels {
            fingerprint: fields.get("fingerprint", Fingerprint::from_json)?,
            transfers: fields.get("transfers", |json| by_unit(json, TransferModel::from_json))?,
            instances: fields.get("instances", |json| {
                entries(json, MAX_INSTANCES, InstanceModel::from_json)
            })?,
        })
    }
}

impl TuningFile {
    /// The file as text: indented, and always the same for the same models.
    pub fn to_text(&self) -> String {
        self.to_json().pretty()
    }

    /// The models that a file's text holds. A text with nothing in it, or `{}`, has none: what a program
    /// embeds has to be there before it was measured for the first time.
    ///
    /// ```
    /// use skel_model::TuningFile;
    ///
    /// assert!(TuningFile::from_text(b"{}\n")?.machines.is_empty());
    /// # Ok::<(), skel_model::json::Malformed>(())
    /// ```
    ///
    /// # Errors
    /// [`Malformed`], with the place: see [`Json::parse`] and [`TuningFile::from_json`].
    pub fn from_text(text: &[u8]) -> Result<TuningFile, Malformed> {
        if text.trim_ascii().is_empty() {
            return Ok(TuningFile::empty());
        }
        let json = Json::parse(text)?;
        match &json {
            Json::Object(fields) if fields.is_empty() => Ok(TuningFile::empty()),
            json => TuningFile::from_json(json),
        }
    }

    /// Without models, and without a tool that wrote it.
    fn empty() -> TuningFile {
        TuningFile {
            tool: String::new(),
            machines: Vec::new(),
        }
    }

    /// As in tuning files.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("schema", TuningFile::SCHEMA.into()),
            ("tool", self.tool.as_str().into()),
            (
                "machines",
                Json::list(self.machines.iter().map(MachineModels::to_json)),
            ),
        ])
    }

    /// Fields that are not known are ignored, so that later minor versions may have more.
    ///
    /// # Errors
    /// [`Malformed`] if it is something else, of another schema, or numbers are out of range.
    pub fn from_json(json: &Json) -> Result<TuningFile, Malformed> {
        let fields = Fields::of(json)?;
        fields.get("schema", schema)?;
        Ok(TuningFile {
            tool: fields.get("tool", text)?.into(),
            machines: fields.get("machines", |json| {
                entries(json, MAX_MACHINES, MachineModels::from_json)
            })?,
        })
    }
}

/// `skel.tune/1`, and `skel.tune/1.7`.
fn schema(json: &Json) -> Result<(), Malformed> {
    let found = text(json)?;
    let rest = found.strip_prefix(TuningFile::SCHEMA);
    if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
        return Ok(());
    }
    Err(Malformed::Schema {
        found: found.chars().take(60).collect(),
        expected: TuningFile::SCHEMA,
    })
}
