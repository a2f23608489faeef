"""Mutation testing: does a test fail when the code is wrong? `make mutants` runs it."""
