"""Durable jobs: begin once under an id, queue with partitions, schedule, cancel."""
