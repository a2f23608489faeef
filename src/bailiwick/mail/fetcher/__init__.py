"""The fetcher: brings in what is new at every account, by itself and when asked to."""
