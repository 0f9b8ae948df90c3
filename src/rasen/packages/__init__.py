"""The `.rasenpkg` file: workflows, profiles and pipelines handed on as one verifiable document."""
