"""The models match those of the controller, whose contract is repeated here."""

import math
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from swiftsolve_profiler import CodeMessage, ProfileReport

STRING, INTEGER = {"type": "string"}, {"type": "integer"}
ENVELOPE: dict[str, dict[str, Any]] = {
    "task_id": STRING,
    "iteration": {"minimum": 0, "type": "integer"},
    "timestamp_utc": {"format": "date-time", "type": "string"},
    "schema_version": {"const": "1.0.0", "default": "1.0.0", "type": "string"},
}
CODE = ENVELOPE | {
    "type": {"const": "code", "default": "code", "type": "string"},
    "code_cpp": STRING,
    "compiler_flags": {"items": STRING, "type": "array"},
    "model_version": {"anyOf": [STRING, {"type": "null"}], "default": None},
    "seed": {"anyOf": [INTEGER, {"type": "null"}], "default": None},
}
REPORT = ENVELOPE | {
    "type": {"const": "profile_report", "default": "profile_report", "type": "string"},
    "input_sizes": {"items": INTEGER, "type": "array"},
    "runtime_ms": {"items": {"type": "number"}, "type": "array"},
    "peak_memory_mb": {"items": {"type": "number"}, "type": "array"},
    "hotspots": {"additionalProperties": STRING, "type": "object"},
}
FIGURES = {"input_sizes": [1], "runtime_ms": [math.inf], "peak_memory_mb": [math.inf]}


@pytest.mark.parametrize(
    ("model", "properties", "required"),
    [
        (CodeMessage, CODE, {"task_id", "iteration", "code_cpp"}),
        (
            ProfileReport,
            REPORT,
            {"task_id", "iteration", "input_sizes", "runtime_ms", "peak_memory_mb"},
        ),
    ],
)
def test_keys_types_and_strictness_are_those_of_the_contract(
    model: type[BaseModel], properties: dict[str, Any], required: set[str]
) -> None:
    schema = model.model_json_schema()
    prose = {"title", "description", "examples", "enum"}
    found = {
        name: {key: value for key, value in field.items() if key not in prose}
        for name, field in schema["properties"].items()
    }
    assert found == properties
    assert set(schema["required"]) == required
    assert schema["additionalProperties"] is False
    assert model.model_config["frozen"] is True


def test_a_report_survives_json_with_its_infinities() -> None:
    report = ProfileReport.model_validate(
        {"task_id": " t ", "iteration": 0, "hotspots": {"_crash": "SIGSEGV"}, **FIGURES}
    )
    text = report.model_dump_json()
    assert '"runtime_ms":["Infinity"]' in text
    assert ProfileReport.model_validate_json(text) == report
    assert report.task_id == "t"


def test_another_key_and_another_version_are_refused() -> None:
    good = {"task_id": "t", "iteration": 0, **FIGURES}
    others: list[dict[str, object]] = [
        {"compile": {}},
        {"schema_version": "2.0.0"},
        {"type": "code"},
        {"iteration": -1},
    ]
    for other in others:
        with pytest.raises(ValidationError):
            ProfileReport.model_validate({**good, **other})


def test_a_report_cannot_be_changed() -> None:
    report = ProfileReport.model_validate({"task_id": "t", "iteration": 0, **FIGURES})
    with pytest.raises(ValidationError):
        report.task_id = "u"
