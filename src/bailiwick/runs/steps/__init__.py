"""The steps of a run: one answer of the model, one tool call, and what each of them needs."""
