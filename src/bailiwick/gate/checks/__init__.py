"""The eleven checks, one file each; `gate/pipeline.py` says in which order."""
